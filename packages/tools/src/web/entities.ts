/** Character references of HTML: those that pages use, and all that are numbers. */

const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', hellip: '…', mdash: '—', ndash: '–' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•', middot: '·', times: '×', divide: '÷' },
  ...{ deg: '°', plusmn: '±', euro: '€', pound: '£', yen: '¥', cent: '¢', sect: '§', para: '¶', larr: '←', rarr: '→', uarr: '↑' },
  ...{ darr: '↓', le: '≤', ge: '≥', ne: '≠', asymp: '≈', infin: '∞', minus: '−', szlig: 'ß', auml: 'ä', ouml: 'ö', uuml: 'ü' },
  ...{ Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', eacute: 'é', egrave: 'è', agrave: 'à', aacute: 'á', ccedil: 'ç', ntilde: 'ñ', oacute: 'ó' },
  ...{ ecirc: 'ê', iacute: 'í', uacute: 'ú', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '', zwnj: '', zwj: '' },
}

const reference = /&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});/g

/** A text with its character references replaced. Those that are not known stay as they are. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (whole, inside: string) => {
    if (!inside.startsWith('#')) return Object.hasOwn(named, inside) ? (named[inside] ?? whole) : whole
    const code = /^#x/i.test(inside) ? Number.parseInt(inside.slice(2), 16) : Number(inside.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : '\ufffd'
  })
}
