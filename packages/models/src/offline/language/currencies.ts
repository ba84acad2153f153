/** Currencies by what people call them. A longer name comes before a shorter one that is part of it. */

type Currencies = readonly (readonly [form: RegExp, code: string])[]

const symbols: Currencies = [
  [/\b[A-Z]{3}\b/, ''],
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/\$/, 'USD'],
]

/** Currencies in English. The empty code stands for the code as it is written. */
export const englishCurrencies: Currencies = [
  ...symbols,
  [/\b(?:canadian dollars?)\b/i, 'CAD'],
  [/\b(?:australian dollars?)\b/i, 'AUD'],
  [/\b(?:hong kong dollars?)\b/i, 'HKD'],
  [/\b(?:singapore dollars?)\b/i, 'SGD'],
  [/\b(?:(?:US|U\.S\.|american) dollars?|dollars?|bucks)\b/i, 'USD'],
  [/\beuros?\b/i, 'EUR'],
  [/\b(?:(?:british )?pounds?(?: sterling)?|quid)\b/i, 'GBP'],
  [/\b(?:japanese )?yen\b/i, 'JPY'],
  [/\b(?:(?:chinese )?yuan|renminbi|rmb)\b/i, 'CNY'],
  [/\b(?:swiss )?francs?\b/i, 'CHF'],
  [/\b(?:indian )?rupees?\b/i, 'INR'],
  [/\b(?:south korean |korean )?won\b/i, 'KRW'],
]

/** Currencies in Chinese. */
export const chineseCurrencies: Currencies = [
  ...symbols,
  [/加拿大元|加元/, 'CAD'],
  [/澳大利亚元|澳元/, 'AUD'],
  [/港币|港元/, 'HKD'],
  [/新加坡元|新币/, 'SGD'],
  [/美元|美金/, 'USD'],
  [/欧元/, 'EUR'],
  [/英镑/, 'GBP'],
  [/日元|日币/, 'JPY'],
  [/人民币/, 'CNY'],
  [/瑞士法郎|瑞郎/, 'CHF'],
  [/卢比/, 'INR'],
  [/韩元|韩币/, 'KRW'],
]
