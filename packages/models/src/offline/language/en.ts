/** English. */

import { englishCurrencies } from './currencies.ts'
import { englishErrands, englishTransfers } from './en-errands.ts'
import { englishReplies } from './en-replies.ts'
import { englishActions, englishFillers, englishNouns } from './en-words.ts'
import { entityMark as e, type LanguagePack } from './pack.ts'

const form = (source: string): RegExp => new RegExp(source, 'i')
const number = '-?\\d[\\d.]*'
const proper = "(?:(?:Dr|Mr|Mrs|Ms|Prof)\\.\\s+)?[A-Z][\\w'’-]*(?:\\s+[A-Z][\\w'’-]*)*"
const owned = '(?:(?:the|my|our|account|branch|table|folder|warehouse|station)\\s+)*'
const place = `(?:${e}|${proper}|[a-z][\\w-]*)`
const former = '(?:it|this|that|the (?:result|answer|sum|product|total|number)|what you get)'
const money = `(?:${englishCurrencies.map(([{ source }]) => source).join('|')})`
const notFolder =
  '(?!(?:the|a|an|this|that|these|those|its|subfolders?|subdirector(?:y|ies)|my|your|new|current|which|each|every|it|there|here|me|us|them|all|any|files?|folders?|called|named|celsius|fahrenheit|and|or|with|for|to|from|that|whole|entire)\\b)'
const folderName = `(${notFolder}[\\w.-]+)`

/** What English says, as tables. */
export const english: LanguagePack = {
  code: 'en',
  actions: englishActions,
  nouns: englishNouns,
  fillers: englishFillers,
  wholes: [],
  boundFillers: { afterWord: [], afterKnown: [], afterEntity: [], beforeEntity: [] },
  split:
    /\s*(?:[;\n]+|(?<=[\w\uE000-\uF8FF)])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No))[.!?]+(?=\s|$)|,?\s*\b(?:and\s+)?(?:then|after\s+that|afterwards)\b,?|,\s*and\b|,|\band\b)\s*/i,
  clause: {
    polite: form(
      '^(?:(?:please|kindly|now|first(?:ly)?|next|then|finally|also|afterwards|after that|and|okay|ok|so|just|quickly|hey|hi|hello|good (?:morning|evening|afternoon))\\b[,!\\s]+' +
        '|(?:can|could|would|will) you (?:please )?(?:mind )?|(?:can|could|may) (?:i|we) (?:please )?(?=see|get|have|know)(?:have|know)?\\s*|go ahead and\\s+' +
        "|i(?: want| need| would like|'d like|'d love)(?: you)? (?:to\\s+)?(?:know\\s+)?|(?:please )?help me (?:to )?|let's\\s+|try to\\s+|be so kind as to\\s+" +
        '|(?:i was |i am )?wondering (?:if|whether) you could\\s+|it would be (?:great|nice) if you could\\s+|let me know\\s+|do me a favou?r and\\s+)',
    ),
    tail: form(
      '[\\s,]*\\b(?:please|thanks|thank you|for me|for us|would you|will you|could you|if possible|if you can|right away|right now|asap)[\\s.!?]*$',
    ),
    limit: form(
      `^(?:but )?(?:(?:just|only)\\s+)?(?:(?:give|show|get|return|list|send|bring|limit|keep|i (?:want|need))\\s+)?(?:(?:me|us|it|them|that)\\s+)?(?:(?:to|only|just|at most|up to|no more than|not more than|a maximum of|max(?:imum)?|the|first|top|last)\\s+)*${e}(?:\\s+(?:results?|hits?|items?|entries|lines?|rows?|matches|of them|ones?|at most|max(?:imum)?))*(?:\\s+(?:is|are) (?:enough|fine))?\\W*$`,
    ),
    waiting: form(
      `^(?:(?:in|on|at|for|from|to|inside|under|within)\\s[^,]*|(?:please |(?:can|could|would) you |i want you to )*(?:create|make) (?:an? )?(?:new )?(?:text )?(?:file )?(?:called |named )?${e}|(?:please )?(?:look|have a look|go) (?:in|into|inside) [^,]*|(?:please |(?:can|could) you )?open (?:the )?(?:folder |directory )?(?:[\\w.-]+|${e}) (?:folder|directory)|do me a favou?r|(?:please )?go online)$`,
    ),
    beyond: form('^how (?:many|big|large|long|old)\\b|^who\\b|^when\\b|^(?:is|are|was|were|has|did)\\b'),
    wish: form(
      "^i(?: want| need| would like|'d like|'d love|'ll have|'ll take) (?:to have )?(?:an?|another|some)\\b|^(?:can|could|may) (?:i|we) (?:please )?(?:have|get) (?:an?|another|some)\\b",
    ),
    negated: form("^(?:do not|don't|dont|never|you must not|you should not|you shouldn't|stop|no need to|avoid|without)\\b"),
    declined: form('^(?:no|nope|never ?mind|cancel|stop|forget it|nothing|not now|skip it|leave it|abort|quit|exit)\\W*$'),
    howTo: form(
      '^(?:how (?:do|does|can|could|should|would|to|did)\\b(?! (?:i|you|we) get (?:for|from))|why\\b|what (?:does|do|did) .+ (?:mean|do)\\b|explain\\b|what (?:if|happens|would|will)\\b|should i\\b|do you know\\b|is it\\b)',
    ),
    statement: form(
      "^(?:i|we|he|she|they|someone|somebody)(?:'ve|'m|'re|'s|'d)?\\s+\\w+" +
        `|^(?:(?:the|my|this|that|our)\\s+(?:\\w+\\s+){0,2}(?:${e}\\s+)?|${e}\\s+)(?:is|was|are|were|has|had|seems|looks|contains)\\b`,
    ),
    reservations: form('\\b(?:if|unless|when|once|until|except|excluding|exclude|but|not|never|without|instead|nothing|none|besides|apart)\\b'),
    showAgain: form(
      `^(?:show|tell|give|let|display|print)\\b(?:\\s+(?:me|us))?\\s*(?:(?:the )?(?:result|results|output|answer|contents?)|what(?:'s| is| was)? (?:in|inside)? ?(?:it|there|them)|what (?:it says|you (?:see|find|found|get|got))|it|them|know|see it|(?:the |its )?(?:whole |full )?(?:text|contents?)|what(?:'s| is) (?:inside|there|in it))(?: (?:to|for) (?:me|us))?\\W*$|^(?:read|print|show) (?:it|them|its contents?|the (?:text|contents?)|that)(?: out)?(?: (?:to|for) (?:me|us))?\\W*$`,
    ),
    identity: form(
      "^(?:who|what) are you\\b|^what(?: can|'s it| else can)? you do\\b|^what can you\\b|^are you (?:a|an|real|some)\\b|^what (?:model|llm|ai)\\b|^help\\W*$",
    ),
    greeting: form(
      '^(?:hi(?: there)?|hello(?: there)?|hey(?: there)?|good (?:morning|evening|afternoon|day)|thanks|thank you|ok|okay|bye|goodbye)\\W*$',
    ),
    question: form("^(?:what|which|where|who|when|how|is|are|do|does|did|has|have|was|were)\\b|^what's|\\?\\s*$"),
    actions: [
      [form('^which (?:files?|documents?|folders?|places?|of [^?]*) (?:mentions?|contains?|uses?|has|have|includes?)\\b'), 'search'],
      [
        form("^(?:what|which) (?:files|documents|folders|directories)\\b|^(?:what's|what is|what are) (?:all )?the (?:files|documents|folders)\\b"),
        'list',
      ],
      [form('^(?:look (?:up|for)|find out|search for)\\b'), 'search'],
      [form('^(?:sum up|summari[sz]e|condense)\\b'), 'summarise'],
      [
        form(
          '^(?:write|make|create|provide|prepare|produce|draft|do)(?: me| us)? (?:an?|the) (?:\\w+ )?(?:summary|overview|digest|abstract)\\b|^summary of\\b|^boil .* down\\b',
        ),
        'summarise',
      ],
      [form('^(?:work out|figure out how much)\\b'), 'calculate'],
      [form('^(?:open|file|raise|log) (?:an?|another|a new)\\b'), 'create'],
      [form('^(?:set up)\\b'), 'create'],
      [form('^(?:pull|bring) up\\b'), 'get'],
      [form('^(?:text|message|ping)\\s+(?=[a-z])'), 'inform'],
      [form('^(?:tell|let) (?!me\\b|us\\b)[\\w.]+ (?=know\\b|that\\b)'), 'inform'],
      [form(`^(?:have|let|get) (?:the|our|my) [\\w-]+ (?:to )?[a-z]+`), 'delegate'],
      [form('^(?:note|write|jot|put) down\\b|^(?:note|remember) (?=that\\b)'), 'note'],
      [form('^(?:make|do|send|issue)\\b.*\\brequest\\b'), 'fetch'],
      // Written in capitals it is a request; in small letters it is an order to delete or to put.
      [new RegExp(`^(?:GET|POST|PUT|PATCH|DELETE|HEAD) ${e}`), 'fetch'],
      [form('^(?:look at|have a look at|take a look at|what does .* say)\\b'), 'read'],
      [form('^(?:get rid of|throw away)\\b'), 'delete'],
      [form('^(?:email|mail)\\b'), 'send'],
      [form('^ask (?:me|us|the user)\\b'), 'ask'],
      [form('^(?:take|make|write) (?:a |down a )?note\\b'), 'add'],
      // A code is three capitals: the case counts here.
      [new RegExp(`^(?:[Hh]ow (?:much|many)|[Ww]hat)\\b.*${money}.*\\b(?:in|to|into|for|is|are|from|worth|as)\\b.*${money}`), 'convert'],
      [form('^(?:the )?(?!tick|check|cross|strike|mark|take)\\w+ (?:on|off)\\b'), 'set'],
    ],
  },
  content: {
    errands: englishErrands,
    transfer: englishTransfers,
    contentsOf: form('\\b(?:contents?|text|summary|lines) of\\b'),
    summary: form(
      "\\b(?:summar(?:y|ies)|digest|abstract|gist|overview|(?:main|key|most important|important) (?:points|ideas|facts|things))\\b|^(?:summari[sz]e|sum up|condense)\\b|^(?:tell me )?(?:briefly )?what(?:'s| is)? .*\\babout\\W*$|\\b(?:briefly|in a few words|in short)\\b",
    ),
    listing: form('\\b(?:list|listing|names?) of\\b.*\\b(?:files?|folders?|everything|contents?)\\b|\\bfile ?(?:list|names)\\b|\\blisting\\b'),
    former: form(
      '^(?:it|this|that|them|those|these|(?:the |its |all |whole )*(?:results?|outputs?|answers?|contents?|text|list|listing|summary|a summary|findings?)(?: you (?:find|found|get|got))?|(?:the |all )*(?:matches|hits|lines|names|files|occurrences|search results|content|copy)|(?:what|everything|whatever) (?:you|it) (?:find|found|get|got|says?))$',
    ),
    speaksOfFormer: form(
      '\\b(?:it|this|that|these|those|them|(?:the|his|her|their) (?:results?|answers?|findings?|output|facts|notes|sources))\\b|\\bwhat (?:he|she|they|it|you) f(?:ind|ound)',
    ),
    folders: [
      form(`^ls\\s+${folderName}$`),
      form(`\\b(?:folder|directory)\\s+(?:called\\s+|named\\s+)?${folderName}`),
      form(`\\b${folderName}\\s+(?:folder|directory)\\b`),
      form(
        `\\b(?:in|under|inside|within|of|from)\\s+(?:the\\s+)?${folderName}(?=\\s*(?:$|[?!]|\\b(?:to|into|as|and|or|plus|with|including|recursively)\\b))`,
      ),
    ],
    names: [
      /\b(?:called|named)\s+([\w.-]+)/,
      new RegExp(
        `\\b(?:in|for|at|of|to|from|with|near|about)\\s+(${proper}(?:(?:\\s*,\\s*|\\s+and\\s+|\\s*,\\s*and\\s+)(?:in\\s+|for\\s+|of\\s+)?${proper})*)`,
      ),
      new RegExp(`(?<=\\S\\s+)(${proper})`),
      /\b(?:in|for|at|of|near)\s+(?!the\b|my\b|it\b|a\b|an\b)([a-z][\w-]*)\s*$/,
    ],
    makers: new RegExp(`\\bby\\s+(${proper})`),
    saying: [
      /(?:\b(?:saying|to say|says|reading|which says|to tell (?:him|her|them))(?: that)?|\bknow(?: that)?(?!\s+(?:if|whether|when|how|what|who|where|why)\b)|\bthat)\s+(.+)$/i,
    ],
    routes: [
      new RegExp(`\\b(?:from|From)\\s+${owned}(?<from>${place})(?:\\s+account)?\\s+(?:in)?to\\s+${owned}(?<to>${place})`),
      new RegExp(`\\b(?:in)?to\\s+${owned}(?<to>${place})(?:\\s+account)?\\s+from\\s+${owned}(?<from>${place})`),
      new RegExp(`^[A-Za-z]+\\s+${owned}(?<from>${place})(?:\\s+branch)?\\s+into\\s+${owned}(?<to>${place})`),
    ],
    currencies: englishCurrencies,
    adverbs: form('\\b(?:as (?:it )?is|unchanged|verbatim|exactly|word for word|directly|straight)\\b'),
    onward: [
      [form(`^(?:multiply|times)\\s+${former}?\\s*(?:by|with)?\\s*(${e})$`), '*'],
      [form(`^divide\\s+${former}?\\s*by\\s*(${e})$`), '/'],
      [form(`^add\\s+(${e})(?:\\s+(?:to|and)\\s+${former})?$|^(?:add|increase)\\s+${former}\\s+(?:and|by|to)\\s*(${e})$`), '+'],
      [form(`^(?:subtract|take)\\s+(${e})(?:\\s+(?:away )?from\\s+${former})?$|^decrease\\s+${former}\\s+by\\s+(${e})$`), '-'],
    ],
    nameBreak: /\s*,\s*(?:and\s+)?(?:in\s+|for\s+|of\s+)?|\s+and\s+(?:in\s+|for\s+|of\s+)?/,
    connectors: /^(?:me|us|the|user|to|for|about|that|please|out|whether)$/i,
    allOf: form('\\b(?:everything|all (?:the )?files|all (?:the )?folders)\\b'),
    on: form('\\b(?:on|enable|activate)\\b'),
    off: form('\\b(?:off|disable|deactivate)\\b'),
    firstOf: form(
      `\\b(?:(?:give|show|get|return|limit)\\s+(?:me|us|it|them)?\\s*(?:to\\s+)?)?(?:first|last|top|latest|at most|up to|only|just|no more than|not more than|a?\\s*maximum of|max|limit(?:ed)?(?: to| of)?)\\s+(${e})`,
    ),
    aroundSums: form(
      "\\b(?:what(?:'s| is| are)|how much is|calculate|compute|evaluate|work out|solve|tell me|know|the|result|value|sum|product|difference|expression|numbers?|of|equals?|makes?|please|give me|can you|could you|is|are|me|what|how much|does|do|i|you|get|for|figure out|use|using|calculator|with|math|maths|quick|together|it|to|when|if|add up|come|comes|out|in total)\\b|[?=.!,:]",
    ),
    sums: [
      [form(`(${number})\\s*(?:%|percent)\\s+of\\s+(${number})`), '$2 * $1 / 100'],
      [form(`\\bproduct of\\s+(${number})\\s+and\\s+(${number})`), '$1 * $2'],
      [form(`\\bdifference (?:between|of)\\s+(${number})\\s+and\\s+(${number})`), '$1 - $2'],
      [form(`\\b(?:add|sum)(?: up| together)?\\s+(?:the numbers\\s+)?(${number})\\s+and\\s+(${number})`), '$1 + $2'],
      [form(`(${number})\\s+and\\s+(${number})\\s+(?:add up to|added(?: up| together)?|together|in total|make)\\b`), '$1 + $2'],
      [form(`\\bhow much (?:is|are)\\s+(${number})\\s+and\\s+(${number})`), '$1 + $2'],
      [form(`(${number})\\s+and\\s+(${number})\\s+multiplied\\b`), '$1 * $2'],
      [form(`\\btake\\s+(${number})\\s+(?:away )?from\\s+(${number})`), '$2 - $1'],
      [form(`(?<=\\d\\s*)\\s(?:less)\\s+(?=[-(\\d])`), ' - '],
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
