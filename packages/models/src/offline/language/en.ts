/** English. */
import { englishReplies } from './en-replies.ts'
import { entityMark as e, type LanguagePack } from './pack.ts'

const form = (source: string): RegExp => new RegExp(source, 'i')
const words = (text: string): readonly string[] => text.split(' ')
const number = '-?\\d[\\d.]*'
const proper = "[A-Z][\\w'’-]*(?:\\s+[A-Z][\\w'’-]*)*"
const notFolder =
  '(?!(?:the|a|an|this|that|these|my|your|new|current|which|each|every|it|there|here|me|us|them|all|any|files?|folders?|called|named|celsius|fahrenheit|and|or|with)\\b)'
const folderName = `(${notFolder}[\\w.-]+)`

/** What English says, as tables. */
export const english: LanguagePack = {
  code: 'en',
  actions: {
    read: words('read open view load cat reread'),
    list: words('list enumerate ls'),
    get: words('get see show tell give display print check query retrieve what which where who when lookup'),
    search: words('search find grep locate google'),
    write: words('write save store'),
    create: words('create make generate build schedule'),
    delete: words('delete remove erase unlink'),
    move: words('move rename'),
    copy: words('copy duplicate'),
    summarise: words('summarise condense shorten'),
    send: words('send'),
    add: words('add put insert record jot'),
    append: words('append'),
    set: words('set turn switch change adjust'),
    fetch: words('fetch download request'),
    calculate: words('calculate compute evaluate calculator'),
    multiply: words('multiply times'),
    subtract: words('subtract minus'),
    divide: words('divide'),
    convert: words('convert exchange'),
    translate: words('translate'),
    ask: words('ask'),
    delegate: words('delegate hand assign'),
    remind: words('remind reminder'),
    cancel: words('cancel revoke'),
    close: words('close shut'),
    start: words('start begin launch'),
    stop: words('stop halt end'),
    run: words('run execute call use invoke'),
    update: words('update edit modify'),
    book: words('book reserve'),
    play: words('play'),
    refund: words('refund'),
    buy: words('buy purchase'),
  },
  nouns: {
    file: words('file document'),
    folder: words('folder directory dir'),
    web: words('web internet online website'),
    weather: words('weather forecast temperature'),
    order: words('order'),
    todo: words('todo todos to-do'),
    email: words('email e-mail mail'),
    message: words('message'),
    event: words('event calendar appointment'),
    light: words('light lamp'),
    timer: words('timer countdown'),
    currency: words('currency money dollar euro pound yen'),
    user: words('user'),
    question: words('question'),
    stock: words('stock inventory'),
    product: words('product article'),
    contact: words('contact'),
    price: words('price cost'),
    song: words('song music'),
    flight: words('flight plane'),
    content: words('content'),
    body: words('body'),
    subject: words('subject'),
    title: words('title'),
    name: words('name'),
    date: words('date'),
    priority: words('priority'),
    status: words('status'),
    image: words('image picture photo'),
    database: words('database table'),
    customer: words('customer client'),
    invoice: words('invoice bill'),
    news: words('news headline'),
    alarm: words('alarm'),
    door: words('door gate'),
    note: words('note memo'),
    result: words('result hit'),
    line: words('line row'),
    minute: words('minute min'),
    high: words('high urgent important'),
    agent: words('agent assistant colleague'),
  },
  fillers: [
    ...words('a an the this that these those my your our his her its their some any all every each no please kindly now just also too very really'),
    ...words('is are was were be been am do does did has have had will would can could should may might must shall let like want need'),
    ...words(
      'i me you he she it we us they them there here of in on at to for from with by about into onto as and or but if than then so up out off',
    ),
    ...words(
      'what which where who whom whose when why how much many more most short brief quick new current complete whole detailed named called one',
    ),
    ...words('first last next text name content item thing kind sort single several other s t m re ll ve d'),
  ],
  boundFillers: { afterWord: [], afterKnown: [], beforeEntity: [] },
  split: /\s*(?:[;\n]+|(?<=[\w\uE000-\uF8FF)])[.!?]+(?=\s|$)|,?\s*\b(?:and\s+)?(?:then|after\s+that|afterwards)\b,?|,\s*and\b|,|\band\b)\s*/i,
  clause: {
    polite: form(
      '^(?:(?:please|kindly|now|first(?:ly)?|next|then|finally|also|afterwards|after that|and|okay|ok|so|just|quickly|hey|hi|hello)\\b[,!\\s]+' +
        "|(?:can|could|would|will) you (?:please )?|i(?: want| need| would like|'d like) (?:you )?(?:to\\s+)?|(?:please )?help me (?:to )?|let's\\s+|try to\\s+)",
    ),
    negated: form("^(?:do not|don't|dont|never|you must not|you should not|you shouldn't|stop|no need to|avoid|without)\\b"),
    declined: form('^(?:no|nope|never ?mind|cancel|stop|forget it|nothing|not now|skip it|leave it|abort|quit|exit)\\W*$'),
    howTo: form(
      '^(?:how (?:do|does|can|could|should|would|to|did|is|are)\\b|why\\b|what (?:does|do|did) .+ (?:mean|do)\\b|explain\\b|what (?:if|happens|would|will)\\b|should i\\b|do you know\\b|is it\\b)',
    ),
    statement: form(
      "^(?:i|we|he|she|they|someone|somebody)(?:'ve|'m|'re|'s|'d)?\\s+\\w+" +
        `|^(?:(?:the|my|this|that|our)\\s+(?:\\w+\\s+){0,2}(?:${e}\\s+)?|${e}\\s+)(?:is|was|are|were|has|had|seems|looks|contains)\\b`,
    ),
    reservations: form('\\b(?:if|unless|when|once|until|except|but|not|never|without|instead|nothing|none|besides|apart)\\b'),
    showAgain: form(
      `^(?:show|tell|give|let|display|print)\\b(?:\\s+(?:me|us))?\\s*(?:(?:the )?(?:result|results|output|answer|contents?)|what(?:'s| is| was)? (?:in|inside)? ?(?:it|there|them)|what (?:it says|you (?:see|find|found|get|got))|it|them|know|see it)\\W*$`,
    ),
    identity: form(
      "^(?:who|what) are you\\b|^what(?: can|'s it| else can)? you do\\b|^what can you\\b|^are you (?:a|an|real|some)\\b|^what (?:model|llm|ai)\\b|^help\\W*$",
    ),
    greeting: form('^(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|thanks|thank you|ok|okay|bye|goodbye)\\W*$'),
    question: form("^(?:what|which|where|who|when|how|is|are|do|does|did|has|have|was|were)\\b|^what's|\\?\\s*$"),
    actions: [
      [form('^which (?:files?|documents?|folders?|places?|of [^?]*) (?:mentions?|contains?|uses?|has|have|includes?)\\b'), 'search'],
      [
        form("^(?:what|which) (?:files|documents|folders|directories)\\b|^(?:what's|what is|what are) (?:all )?the (?:files|documents|folders)\\b"),
        'list',
      ],
      [form('^(?:look (?:up|for)|find out|search for)\\b'), 'search'],
      [form('^(?:sum up|summari[sz]e|condense)\\b'), 'summarise'],
      [form('^(?:work out|figure out how much)\\b'), 'calculate'],
      [form('^(?:make|do|send|issue)\\b.*\\brequest\\b'), 'fetch'],
      // Written in capitals it is a request; in small letters it is an order to delete or to put.
      [new RegExp(`^(?:GET|POST|PUT|PATCH|DELETE|HEAD) ${e}`), 'fetch'],
      [form('^(?:look at|have a look at|take a look at|what does .* say)\\b'), 'read'],
      [form('^(?:get rid of|throw away)\\b'), 'delete'],
      [form('^(?:email|mail)\\b'), 'send'],
      [form('^ask (?:me|us|the user)\\b'), 'ask'],
      [form('^(?:take|make|write) (?:a |down a )?note\\b'), 'add'],
      [form(`^(?:how much (?:is|are)|what (?:is|are)) ${e}\\s+[a-z]{3} in [a-z]{3}\\b`), 'convert'],
      [form('^(?:the )?\\w+ (?:on|off)\\b'), 'set'],
    ],
  },
  content: {
    transfer: [
      form(
        `^(?:write|save|store|put|copy|export|dump|output)\\s+(?<what>.+?)\\s+(?:down\\s+)?(?:in)?(?:to|in|as|at|under)\\s+(?:the |a )?(?:new )?(?:file )?(?:called |named )?(?<where>${e})[\\s.!]*$`,
      ),
      form(
        `^(?:create|make|write|save)\\s+(?:the |a )?(?:new )?(?:text )?(?:file|document)\\s+(?:called |named )?(?<where>${e})\\s*,?\\s*(?:with|containing|that (?:says|contains)|and (?:write|put))\\s*(?:the )?(?:contents?|text)?\\s*(?:of )?(?<what>.+)$`,
      ),
    ],
    contentsOf: form('\\b(?:contents?|text|summary|lines) of\\b'),
    summary: form('\\b(?:summar(?:y|ies)|digest|abstract|gist)\\b|^(?:summari[sz]e|sum up|condense)\\b'),
    listing: form('\\b(?:list|listing|names?) of\\b.*\\b(?:files?|folders?|everything|contents?)\\b|\\bfile ?(?:list|names)\\b|\\blisting\\b'),
    former: form('^(?:it|this|that|them|(?:the |its )?(?:results?|outputs?|answers?|contents?|text|list|listing|summary|a summary|findings?))$'),
    speaksOfFormer: form('\\b(?:it|this|that|them|the results?)\\b'),
    folders: [
      form(`^ls\\s+${folderName}$`),
      form(`\\b(?:folder|directory)\\s+(?:called\\s+|named\\s+)?${folderName}`),
      form(`\\b${folderName}\\s+(?:folder|directory)\\b`),
      form(`\\b(?:in|under|inside|within|of|from)\\s+(?:the\\s+)?${folderName}(?=\\s*(?:$|[?!]|\\b(?:to|into|as|and|recursively)\\b))`),
    ],
    names: [
      new RegExp(
        `\\b(?:in|for|at|of|to|from|with|near|about)\\s+(${proper}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*,\\s*and\\s+)(?:in\\s+|for\\s+|of\\s+)?${proper})*)`,
      ),
      new RegExp(`(?<=\\S\\s+)(${proper})`),
      /\b(?:in|for|at|of|near)\s+(?!the\b|my\b|it\b|a\b|an\b)([a-z][\w-]*)\s*$/,
    ],
    makers: new RegExp(`\\bby\\s+(${proper})`),
    nameBreak: /\s*,\s*(?:and\s+)?(?:in\s+|for\s+|of\s+)?|\s+and\s+(?:in\s+|for\s+|of\s+)?/,
    connectors: /^(?:me|us|the|user|to|for|about|that|please|out|whether)$/i,
    allOf: form('\\b(?:everything|all (?:the )?files|all (?:the )?folders)\\b'),
    on: form('\\b(?:on|enable|activate)\\b'),
    off: form('\\b(?:off|disable|deactivate)\\b'),
    firstOf: form(`\\b(?:first|last|top|latest|at most|up to|only|maximum of|max)\\s+(${e})`),
    aroundSums: form(
      "\\b(?:what(?:'s| is| are)|how much is|calculate|compute|evaluate|work out|solve|tell me|the|result|value|sum|product|difference|of|equals?|please|give me|can you|is|me)\\b|[?=.!,:]",
    ),
    sums: [
      [form(`(${number})\\s*(?:%|percent)\\s+of\\s+(${number})`), '$2 * $1 / 100'],
      [form(`\\badd\\s+(${number})\\s+(?:and|to|with|plus)\\s+(${number})`), '$1 + $2'],
      [form(`\\b(?:sum|total) of\\s+(${number})\\s+and\\s+(${number})`), '$1 + $2'],
      [form(`\\bsubtract\\s+(${number})\\s+from\\s+(${number})`), '$2 - $1'],
      [form(`\\bmultiply\\s+(${number})\\s+(?:and|by|with|times)\\s+(${number})`), '$1 * $2'],
      [form(`\\bdivide\\s+(${number})\\s+by\\s+(${number})`), '$1 / $2'],
      [form(`(?<=\\d\\s*)\\s(?:plus)\\s+(?=[-(\\d])`), ' + '],
      [form(`(?<=\\d\\s*)\\s(?:minus)\\s+(?=[-(\\d])`), ' - '],
      [form(`(?<=\\d\\s*)\\s(?:times|multiplied by|x)\\s+(?=[-(\\d])`), ' * '],
      [form(`(?<=\\d\\s*)\\s(?:divided by|over)\\s+(?=[-(\\d])`), ' / '],
      [form(`(?<=\\d\\s*)\\s(?:to the power of)\\s+(?=[-(\\d])`), ' ^ '],
    ],
  },
  replies: englishReplies,
}
