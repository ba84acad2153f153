/** The words that the rules know: English, and a small table of Chinese. Everything else comes from the tools. */

type Words = ReadonlySet<string>

const setOf = (...lines: readonly string[]): Words => new Set(lines.flatMap((line) => line.split(' ')))

/** Verbs that only look: for a tool that is named by one of them the noun alone is enough, as in "weather in Paris". */
export const lookVerbs: Words = setOf('get read show list find search fetch look check view query display see tell give return retrieve report')

const sameVerbs: readonly Words[] = [
  ...[lookVerbs, setOf('create add make schedule book set'), setOf('delete remove cancel erase'), setOf('update change edit modify')],
  ...[setOf('write save'), setOf('complete finish'), setOf('transfer move')],
]

/** Whether a word is a verb of the table. */
export const isKnownVerb = (word: string): boolean => sameVerbs.some((group) => group.has(word))

/** Whether a word that was said may stand for the verb of a tool. */
export const isSameVerb = (said: string, verb: string): boolean => said === verb || sameVerbs.some((group) => group.has(said) && group.has(verb))

/** Words without a meaning of their own. */
export const fillers: Words = setOf(
  'a an the my our me us i you please now just to of in on at for from with by as about into and that called named titled',
)

/** Words without a meaning of their own in a question to a tool that only looks. */
export const questionWords: Words = setOf('what which how who is are be there do does have has it like much many any up')

/** Words that name a day relative to today: rules cannot compute a date. */
export const relativeDates: Words = setOf(
  'today tomorrow yesterday tonight later next monday tuesday wednesday thursday friday saturday sunday 今天 明天',
)

/** Words that refer to something outside of the sentence, or exclude something. They are never a value. */
export const pointers: Words = setOf(
  'it this that these those them him her his its they he she here there everything everyone all every each any nothing none some',
  'last first previous again both except only not never or january february march april june july august september october november december',
)

/** What a preposition may introduce, by words of an argument's name. */
export const prepositions: Readonly<Record<string, Words>> = {
  from: setOf('from source sender origin'),
  to: setOf('to destination recipient receiver target ward language'),
  in: setOf('city location place room folder directory ward language unit currency'),
  at: setOf('time start location place'),
  on: setOf('date day'),
  for: setOf('patient person customer user city location query date day'),
  with: setOf('attendee participant guest doctor'),
  called: setOf('name title'),
  named: setOf('name title'),
  titled: setOf('name title'),
}

/** Kinds of tokens that imply the noun of a tool: "read notes.txt" needs no "file". */
export const impliedNouns: Readonly<Record<string, Words>> = { path: setOf('file document'), email: setOf('email mail'), url: setOf('url page web') }

/** Chinese words, each with the English word that the rules know. */
export const chineseWords: Readonly<Record<string, string>> = {
  ...{ 读取: 'read', 查看: 'show', 查询: 'search', 搜索: 'search', 列出: 'list', 显示: 'show', 写入: 'write', 创建: 'create', 添加: 'add' },
  ...{ 删除: 'delete', 取消: 'cancel', 发送: 'send', 更新: 'update', 完成: 'complete', 转账: 'transfer', 预约: 'appointment', 余额: 'balance' },
  ...{ 文件: 'file', 目录: 'folder', 天气: 'weather', 邮件: 'email', 任务: 'task', 待办: 'todo', 会议: 'meeting', 日程: 'event', 然后: 'then' },
  ...{ 请: 'please', 把: 'the', 的: 'of', 到: 'to', 从: 'from', 在: 'in', 和: 'and', 给: 'for', 怎么样: 'how', 什么: 'what', 有哪些: 'what' },
}
