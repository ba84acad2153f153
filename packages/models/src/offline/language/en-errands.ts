/** The errands that people ask for first, in the wordings of English. */
import { type Errand, entityMark as e } from './pack.ts'

const form = (source: string): RegExp => new RegExp(`^(?:${source})\\s*[?.!]*$`, 'i')

const me = '(?: me| us)?'
const show = `(?:show|give|get|display|print(?: out)?|tell|read|fetch|see|view|pull up|bring up|let me (?:see|read|have)|let us see)${me}`
const file = `(?:the |my )?(?:(?:text )?file |document )?(?:called |named )?(?<file>${e})(?: file)?`
const text =
  '(?:(?:the |all the )?(?:full |whole |entire |complete )?(?:contents?|text|everything|words)|everything|all|the whole) (?:of|in|inside|from|that is in)'
const look = '(?:(?:have|take) a (?:quick )?look|look) (?:at|in|into|inside)'
const name = `(?:${e}|(?!(?:the|my|our|your|this|that|it|its|here|there|all|any|current|each|every|some)\\b)[\\w.-]+)`
const kind = '(?:folder|directory|dir)'
const called = `(?:(?:the |my |our )?(?:whole |entire )?${kind} (?:called |named )?(?<folder>${name})|(?:the |my |our )?(?:whole |entire )?(?<folder>${name}) ${kind})`
const inside = '(?:in|inside|under|of|within|from)'
const files =
  '(?:(?:all |all of )?(?:the |my |our )?(?:files?|documents?|contents?|things)(?: (?:and|or) (?:folders|directories|documents))?|everything|all(?: that)?|anything|any files)(?: (?:that|which) (?:are|is))?'
const there = "(?:what(?:'s| is| are|'re)|whatever is|all that is) (?:in|inside|under|there in)"
const list = `(?:list|show${me}|display|print|enumerate|name|give${me}|get${me}|see|tell${me}|let me see|ls)`
const roster = `(?:(?:a|the) )?(?:complete |full )?(?:list|listing|names) of`
const some = `(?:"?)(?<words>${e}|(?!(?:the|all|files?|documents?|something|anything|everything|for|my|this|it|in)\\b)[^\\s?!,\\uE000-\\uF8FF]+)`
const noun = '(?:the )?(?:(?:word|words|text|string|phrase|term|keyword|expression|pattern|name) )?'
const holds = '(?:contain(?:s|ing)?|mention(?:s|ing)?|use(?:s)?|using|include(?:s)?|including|ha(?:s|ve)|having|with|refer(?:s)? to|match(?:es|ing)?)'
const hits =
  '(?:(?:all |every |any |each |the )*(?:occurrences?|mentions?|uses?|usages?|instances?|appearances?|matches|places|lines?|files?)(?: of| for| with| that (?:contain|mention|match|have|use)s?| containing| mentioning| matching| where| named) )?'
const anyFile = '(?:all |every |any |each |the |my |our )*files?'
const place = `(?:(?:${anyFile} )?(?:in|inside|under|within|from|of) )?(?:the |my |our )?(?:whole |entire )?(?:${kind} )?(?:called |named )?(?<place>${name})`
const within = `(?:anywhere )?(?:in|inside|under|within|from|through) (?:${anyFile} (?:in|inside|under|within|of) )?(?:the |my |our )?(?:${kind} (?:called |named )?)?(?<place>${name})(?: ${kind})?`
const seek = '(?:search|look|find|grep|locate|scan|check|hunt)(?: for| out| up| through)?'

const web = '(?:(?:on |in |over |via )?(?:the )?(?:web|internet|net|world wide web)|online)'
const query = `(?<words>(?!something\\b|about\\b)(?!.*${e} (?:more )?(?:results?|hits?|pages|items|matches)\\b).+?)`
const about = '(?:for|about|on)'
const info = '(?:(?:some |any |more |me )?(?:information|info|something|anything|stuff|facts|details|pages|articles) (?:about|on|regarding|for) )?'

const todos = '(?:(?:my |the |our )?(?:to-?dos?(?: ?-?(?:lists?|items?|entries))?|lists? of to-?dos|to do lists?))'
const todo = '(?:to-?do|to do)(?: (?:item|entry|task))?'
const title = `(?:the )?(?:(?:item|task|entry|todo|to-do|point|words?|text) )?(?<words>${e}|(?!(?:a|an|another|one|the|this|something|anything|some|new|more)\\b)[^:]+?)`

/** The forms of English errands; the first that covers a clause and has a tool is believed. */
export const englishErrands: readonly (readonly [RegExp, Errand])[] = [
  // Searching files: before listing, because "which files in docs mention x" speaks of files too.
  [form(`${seek} ${hits}${noun}${some} ${within}`), 'search-files'],
  [
    form(
      `(?:search|look through|look in|look into|grep|scan|check|go through) (?:in |inside |through )?${place}(?: ${kind})? (?:for|and find) ${hits}${noun}${some}(?: files?)?`,
    ),
    'search-files',
  ],
  [form(`${seek} ${hits}${noun}(?<words>${e})(?: files?)?(?: (?:in|through) ${anyFile}| everywhere)?`), 'search-files'],
  [form(`(?:search|look through|grep|scan) (?:through )?${anyFile} for ${hits}${noun}${some}`), 'search-files'],
  [form(`${seek} ${hits}${noun}(?<words>${e})(?: files?)? ${within}`), 'search-files'],
  [
    form(
      `(?:where|find(?: out)? where|check where|show me where|tell me where) (?:is |are |does |do )?${noun}(?<words>${e}) (?:is |are )?(?:used|mentioned|found|appears?|occurs?|defined|called)(?: ${within})?`,
    ),
    'search-files',
  ],
  [form(`where ${within} (?:is|are|does|do) ${noun}(?<words>${e}) (?:used|mentioned|found|appear|occur|defined)`), 'search-files'],
  [form(`where do (?:we|i|you|they) (?:use|mention|have) ${noun}(?<words>${e})(?: ${within})?`), 'search-files'],
  [form(`does ${noun}(?<words>${e}) (?:appear|occur|exist) ${within}`), 'search-files'],
  [
    form(
      `(?:(?:which|what|do any|do any of the|${list}|find|search for|locate) )?(?:all |every |any |each |the |me )*(?:files?|documents?|lines?|places?) (?:that |which )?(?:do )?${holds} ${noun}${some}(?: ${within})?`,
    ),
    'search-files',
  ],
  [
    form(
      `(?:(?:which|what|do any|do any of the|${list}|find|search for|locate) )?(?:all |every |any |each |the |me )*(?:files?|documents?|lines?|places?) ${within} (?:that |which )?(?:do )?${holds} ${noun}${some}`,
    ),
    'search-files',
  ],
  [
    form(`(?:${list}|find|search for|locate|look for) (?:all |every |any |each |the |me )*(?<words>${e}) (?:files?|documents?) ${within}`),
    'search-files',
  ],
  [form(`${seek} something ${within}`), 'search-files'],
  [
    form(
      `(?:search|grep)(?: (?:in|through|inside))? (?:${called}|${anyFile} ${inside} (?:the )?(?:${kind} )?(?<place>${name})(?: ${kind})?|${anyFile}|in (?<place>${name}))`,
    ),
    'search-files',
  ],
  // Reading.
  [
    form(
      `(?:read|open(?: up)?|view|load|cat|show${me}|display|print(?: out)?|see|pull up|bring up|have a look at|take a look at|look at|get${me}|let me see|let me read|reading|opening|showing me|read me|read (?:through|out|over)|${look}|let me ${look}) ${file}(?: (?:to|for) me)?`,
    ),
    'read',
  ],
  [form(`(?:(?:${show}|take|copy out|load|open|read through) )?(?:${text}) ${file}(?: (?:to|for) me)?`), 'read'],
  [
    form(
      `(?:(?:show|tell|read|give)${me} )?(?:see )?(?:what(?:'s| is| are| was)|what text is|what) (?:(?:written|said|stored|saved|the (?:contents?|text)) )?(?:in|inside|of|you find in) ${file}`,
    ),
    'read',
  ],
  [form(`(?:(?:show|tell|read)${me} )?what (?:does |is )?${file} (?:says?|contains?|holds?|reads?)(?: in it)?`), 'read'],
  [
    form(
      `(?:i )?(?:only |just )?(?:need |want )?(?:${show}|read)? ?(?:only |just )?(?:what are )?(?:the )?(?:first|top) (?<count>${e}) lines (?:of|in|from) ${file}`,
    ),
    'read',
  ],
  [form(`(?:read|open|show${me}|print) ${file},? (?:but )?(?:only |just )?the (?:first|top) (?<count>${e}) lines(?: of it| only)?`), 'read'],
  [form(`(?:read|open|show${me}|view|display) (?:a|the|some|one) (?:text )?(?:file|document)`), 'read'],
  [form(`${file}:? what(?:'s| is) in it`), 'read'],
  // Listing.
  [
    form(
      `${list} (?:${roster} )?(?:(?:${files} ${inside} )?${called}|${files} ${inside} (?<folder>${name}))(?<deep>,? (?:recursively|(?:including|with|and|plus) (?:all |those in |everything in |the ones in )*(?:its |the )?(?:subfolders|subdirectories|sub-?folders)|(?:all )?subfolders included))`,
    ),
    'list',
  ],
  [
    form(
      `(?:(?<deep>recursively) ${list}|(?:give|show|get)${me} a (?<deep>recursive) (?:list|listing) of) (?:${files} ${inside} )?(?:${called}|(?<folder>${name}))`,
    ),
    'list',
  ],
  [form(`${list} (?:${roster} )?${files} ${inside} (?:${called}|(?:the )?(?<folder>${name}))`), 'list'],
  [form(`(?:(?:i need|i want|can i have) )?${roster} ${files} ${inside} (?:${called}|(?<folder>${name}))`), 'list'],
  [form(`${list} (?:${roster} )?(?:what(?:'s| is) (?:in|inside) )?${called}`), 'list'],
  [form(`(?:open|read|check|${look}|look through|go through|browse) ${called}`), 'list'],
  [
    form(
      `(?:(?:${list}|know) )?(?:what|which) (?:files|documents|things)(?: and folders)? (?:are|do (?:we|i|you) have|exist|can i find)(?: there| stored)? ${inside} (?:${called}|(?<folder>${name}))`,
    ),
    'list',
  ],
  [form(`(?:(?:${list}|know) )?(?:what|which)(?: files| documents)? (?:does|do) ${called} (?:contain|have|hold)`), 'list'],
  [form(`(?:(?:${list}|know) )?(?:${there}|what is there in|what do (?:we|i|you) have in) ${called}`), 'list'],
  [form(`${list} (?:what(?:'s| is) (?:in|inside) )(?<place>${name})`), 'list'],
  [form(`(?:are there|is there|do we have|do i have) (?:any files|any documents|anything) in (?:${called}|(?<folder>${name}))`), 'list'],
  [
    form(
      `(?:open|go (?:in|into|to)|${look}) (?:${called}|(?<folder>${e})) and (?:list|show|tell|give|see|let)${me} (?:(?:all )?(?:the |its )?(?:files|contents?)|what(?:'s| is)(?: in)? (?:there|inside|it|in it)|what you (?:see|find)|everything)(?: there| in it| inside)?`,
    ),
    'list',
  ],
  [form(`ls (?<folder>${name})`), 'list'],
  [form(`${look} (?<folder>${e})`), 'list'],
  // The web.
  [
    form(
      `(?:search|look|google|check|browse|scour|go)(?: up)? ${web} ${about} ${info}${query},? (?:and )?(?:(?:with|give me|show me|at most|max(?:imum)?|only|the|top|first|up to) )*(?<count>${e}) (?:results?|hits?|pages?)`,
    ),
    'search-web',
  ],
  [
    form(
      `(?:give me|show me|find(?: me)?|get(?: me)?|i need) (?:the )?(?:top |first )?(?<count>${e}) (?:web |online |search )?(?:results?|hits?|pages?)(?: ${web})? ${about} ${query}(?: ${web})?`,
    ),
    'search-web',
  ],
  [
    form(
      `(?:(?:do|run|make|perform|start|i need) )?(?:a |an |me a )?(?:quick )?(?:web|online|internet|google) ?search(?:es)?(?: (?:for|about|on|:))?(?:\\s*${info}${query})?`,
    ),
    'search-web',
  ],
  [form(`(?:do|run|make|perform) a (?:quick )?search (?:${web} )?${about} ${info}${query}(?: ${web})?`), 'search-web'],
  [
    form(
      `(?:search|look|google|check|browse|scour)(?: up)? ${web}(?: (?:${about}|to (?:find(?: out)?|see|know|learn)|and find(?: out)?)(?: about| out)? ${info}${query})?`,
    ),
    'search-web',
  ],
  [form(`(?:search|look|find|google)(?: (?:me|for|up|out|out about))* ${info}${query} ${web}`), 'search-web'],
  [form(`(?:find|see|look) ?(?:out )?(?:what (?:you can find|there is) )?(?:something )?${web} (?:about|for|on) ${query}`), 'search-web'],
  [form(`(?:what can you find|what is there|what do you find) ${web} (?:about|on) ${query}`), 'search-web'],
  [form(`(?:use|go to|go on|go|check) ${web} (?:to|and) (?:find(?: out)?|search(?: for)?|look(?: up| for)|check) ${info}${query}`), 'search-web'],
  [
    form(`(?:search|look|find|google)(?: (?:for|up|out))? (?:some |me )?(?:information|info|facts|details) (?:about|on|regarding) ${query}`),
    'search-web',
  ],
  [
    form(
      `(?:search|google|look up|look for|find)(?: ${web})?(?: for| up)? ?something(?: (?:up|for me))?(?: ${web})?|look something up(?: ${web})?|search ${web} for something`,
    ),
    'search-web',
  ],
  [form(`(?:search up|google|look up) ${info}${query}`), 'search-web'],
  // Todo lists.
  [
    form(
      `(?:remember to )?(?:add|put|write|stick|place|note|enter|insert)(?: down)? ${title} (?:to|on|onto|in|into) ${todos}(?:,? (?:with|as|at) (?:an? )?(?<priority>high|low|medium|urgent)(?: priority)?|,? (?<priority>high|low|medium) priority|,? (?:it is |it's )?(?<priority>urgent))?`,
    ),
    'add-todo',
  ],
  [
    form(
      `(?:add|create|make|new|set up|write|note)?(?: me)? ?(?:a|an|another|the)? ?(?:new )?(?:(?<priority>high|low|medium|urgent)[ -]?(?:priority )?)?${todo}(?: (?:called|named|titled|saying|that says|to|for me))?\\s*(?<words>${e}|(?!\\s|(?:my|the|our|list|lists|item|entry|task|to|on|please)\\b)[^:]+)`,
    ),
    'add-todo',
  ],
  [
    form(
      `(?:add|put|write|note|enter)(?: (?:this|the following(?: item| task)?|an? (?:new )?(?:item|entry|task|point)|something))? (?:to|on|onto|in|into) ${todos}\\s*(?<words>${e})`,
    ),
    'add-todo',
  ],
  [form(`add ${title} as an? (?:new )?${todo}`), 'add-todo'],
  [form(`(?:to|on|onto|in) ${todos},? (?:add|put|write|note) ${title}`), 'add-todo'],
  [form(`(?<words>${e}) (?:on|in|onto) ${todos}`), 'add-todo'],
  [
    form(
      `(?:add|put|create|make|write|enter)(?: me)? (?:an?|another|one|something|some)(?: (?:new|more))?(?: (?:item|task|entry|todo|to-do|thing|point|todo item|to-do item))?(?: (?:to|on|in|onto) (?:${todos}|my list|the list))?|new ${todo}|add (?:a )?${todo}`,
    ),
    'add-todo',
  ],
  [
    form(
      `(?:(?:list|show|see|display|print|open|check|get|view|read(?: out)?|have a look at|take a look at|look at|go through|give|tell|let me see)${me} )?(?:all |all of |everything on |a list of |the list of |the items on |all (?:the )?items on |what(?:'s| is) on )*${todos}(?: (?:to|for) me)?`,
    ),
    'list-todos',
  ],
  [
    form(
      `(?:tell me |show me )?what(?:'s| is| do i have| do i still have| else is| items are| tasks are|'s left| is left)(?: (?:still|left|there|currently|now|open))* (?:on|in) ${todos}(?: (?:right )?now| today)?`,
    ),
    'list-todos',
  ],
  [
    form(
      `(?:tell me |show me )?(?:what|which) (?:are )?(?:my |the )?to-?dos?(?: items)?(?: (?:do i(?: still)? have|are there|are (?:open|left|still open)|have i got))?`,
    ),
    'list-todos',
  ],
  [
    form(
      `(?:do i have|have i got|are there) any to-?dos?(?: left)?|is there anything (?:left )?on ${todos}|how does ${todos} look|what do i have to do according to ${todos}`,
    ),
    'list-todos',
  ],
  [form(`(?:is there )?anything (?:left |else )?on ${todos}`), 'list-todos'],
  // Questions to the user.
  [form(`(?:ask|put) (?:me|us|the user)(?: (?:a|the|this|the following) question| something)?`), 'ask'],
  [
    form(
      `(?:ask|check with|find out from|inquire of) (?:me|us|the user)(?: (?:a|the|this|the following) question)?[,:]?\\s*(?:about )?(?<question>.+)`,
    ),
    'ask',
  ],
  [
    form(
      `(?:put|pose) (?:this|the following) question to (?:me|us|the user)\\s*(?<question>${e})|(?:a )?question (?:for|to) (?:me|the user)\\s*(?<question>${e})`,
    ),
    'ask',
  ],
  // Other agents.
  [
    form(
      `(?:ask|tell|get|have|let|use|send|assign|call|instruct|want|need|would like|i'd like|can|could)?\\s*(?:the |our |my )?(?<agent>[\\w-]+),? (?:should |must |please |to )?(?<task>.+)`,
    ),
    'delegate',
  ],
  [
    form(
      `(?:delegate|hand|give|pass|assign|hand over|send|leave|forward)(?: (?:this|it|that|the following|this task|the task|the following task|a task))?(?: (?:on|over))?(?: to)? (?:the |our |my )?(?<agent>[\\w-]+)(?: (?:this|the following|a|the) (?:task|job)(?: of)?)?\\s*(?<task>.+)`,
    ),
    'delegate',
  ],
  [form(`(?<agent>[\\w-]+)\\s*(?<task>${e})`), 'delegate'],
  [form(`(?:delegate|hand(?: over)?|give|pass|assign|leave) (?<task>.+) to (?:the |our |my )?(?<agent>[\\w-]+)`), 'delegate'],
  [form(`(?<task>.+),? (?:with (?:the help of )?|using |via |through )(?:the |our |my )?(?<agent>[\\w-]+)`), 'delegate'],
]

const target = `(?:the |an? )?(?:new )?(?:text )?(?:file |document )?(?:called |named |with the name |name )?(?<where>${e})(?: file)?`
const write = '(?:write|save|store|put|copy|export|dump|output|record|place|stick)'
const holding = '(?:with|containing|that (?:says|contains|reads|has)|which (?:says|contains)|saying|reading|and (?:write|put|save))'
const body = '(?:(?:just )?(?:the |this |these )?(?:following )?(?:contents?|text|words?|sentence|line|code)\\b)?'

/** "write <what> to <where>" in English. */
export const englishTransfers: readonly RegExp[] = [
  form(
    `${write}(?: down)?\\s+(?:(?:this|these|the following|the)(?: (?:text|lines?|contents?|words|sentence|code|note|message|paragraph))?)?\\s*(?:in)?(?:to|in|as|at|under|on)\\s+${target}\\s*,?\\s*${body}\\s*(?<what>${e})`,
  ),
  form(`${write}\\s+(?<what>.+?)\\s+(?:down\\s+)?(?:in)?(?:to|in|as|at|under)\\s+${target}`),
  form(
    `(?:create|make|write|generate)\\s+${target}\\s*,?\\s*(?:that (?:says|reads)|saying|(?:with|containing) (?:the|this|these) (?:following )?(?:contents?|text|words?|sentence|line))\\s+(?<said>(?!of\\b|from\\b|in\\b|that\\b|about\\b).+)`,
  ),
  form(
    `(?:create|make|write|save|generate|want|need|set up)?\\s*(?:me\\s+)?${target}\\s*,?\\s*${holding}\\s*:?\\s*${body}\\s*(?:of )?(?<what>.+?)(?: (?:in|into|inside|to)(?: it| there| the file)?)?`,
  ),
  form(`(?:(?:summari[sz]e|sum up|condense) )(?<what>${e}) (?:in)?to ${target}`),
  form(`set (?:the )?(?:contents?|text) of ${target} to (?<what>.+)`),
  form(`${target} (?:should|must|shall) (?:contain|say|have|read)\\s*(?<what>${e})`),
  form(`(?:in|into|to) ${target},? ${write} (?<what>.+)`),
]
