/** Other ways to say what earlier lists say once: each class of sentences in both languages, so that no rule is for one sentence only. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, says, zh } from './offline-sentence.ts'

/** What the second clause does is done with what the first has found. */
const chains: readonly OfflineSentence[] = [
  en('adder', 'Multiply 4 and 5, then add 2 to the result', calls(call('multiply', { a: 4, b: 5 }, '20'), call('add', { a: 20, b: 2 }, '22'))),
  en('adder', 'What is 3 plus 9? Then multiply it by 2', calls(call('add', { a: 3, b: 9 }, '12'), call('multiply', { a: 12, b: 2 }, '24'))),
  en(
    'calculator',
    'Calculate 9 * 9 and then divide the answer by 3',
    calls(call('calculator', { expression: '9 * 9' }, '81'), call('calculator', { expression: '81 / 3' }, '27')),
  ),
  en('none', 'Add 2 and 3, then multiply that by 10', says('50')),
  zh('adder', '14 加 6 等于多少？然后再乘以 3', calls(call('add', { a: 14, b: 6 }, '20'), call('multiply', { a: 20, b: 3 }, '60'))),
  zh('adder', '先算 4 乘以 5，再把结果加上 2', calls(call('multiply', { a: 4, b: 5 }, '20'), call('add', { a: 20, b: 2 }, '22'))),
  zh('none', '2 加 3 等于几，结果再乘以 10', says('50')),
  en(
    'team',
    'Ask the researcher for facts about otters and let the writer make a poem of them',
    calls(call('researcher', { prompt: holding('otters') }, 'Otters hold hands.'), call('writer', { prompt: holding('poem', 'Otters hold hands.') })),
  ),
  zh(
    'team',
    '让 researcher 查一下水獭的习性，然后请 writer 根据结果写一首诗',
    calls(call('researcher', { prompt: holding('水獭') }, '水獭手牵手。'), call('writer', { prompt: holding('诗', '水獭手牵手。') })),
  ),
  en(
    'files',
    'Read a.txt and store the text unchanged in b.txt',
    calls(call('read_file', { path: 'a.txt' }, 'alpha'), call('write_file', { path: 'b.txt', content: 'alpha' })),
  ),
  en(
    'grep',
    'Search for "todo" in src and save what you find to hits.txt',
    calls(call('grep', { pattern: 'todo', path: 'src' }, 'src/a.ts:1'), call('write_file', { path: 'hits.txt', content: 'src/a.ts:1' })),
  ),
  zh(
    'files',
    '打开 a.txt，把里面的内容直接存到 b.txt',
    calls(call('read_file', { path: 'a.txt' }, '甲'), call('write_file', { path: 'b.txt', content: '甲' })),
  ),
  zh('web', '查一下 https://example.com 的内容，然后删除它', cannot),
]

const limits: readonly OfflineSentence[] = [
  en(
    'web',
    'Search the web for cheap flights, only 3 results please',
    calls(call('web_search', { query: holding('cheap flights'), max_results: 3 })),
  ),
  en('web', 'Look up sourdough online and show me no more than 4 hits', calls(call('web_search', { query: holding('sourdough'), max_results: 4 }))),
  en('web', 'Find the top 10 results on the web for hiking boots', calls(call('web_search', { query: holding('hiking boots'), max_results: 10 }))),
  en('web', 'Search the web for tea and limit it to 2 results', calls(call('web_search', { query: holding('tea'), max_results: 2 }))),
  en('web', 'Search the web for owls, three results are enough', calls(call('web_search', { query: holding('owls'), max_results: 3 }))),
  zh('web', '在网上搜索登山鞋，只要三条', calls(call('web_search', { query: holding('登山鞋'), max_results: 3 }))),
  zh('web', '上网查一下猫头鹰，给我前 5 条结果', calls(call('web_search', { query: holding('猫头鹰'), max_results: 5 }))),
  zh('web', '网上搜一下红茶，不超过两条', calls(call('web_search', { query: holding('红茶'), max_results: 2 }))),
  zh('web', '上网搜绿茶，最多返回 4 条结果就行', calls(call('web_search', { query: holding('绿茶'), max_results: 4 }))),
  en('files', 'List all files in docs including those in subfolders', calls(call('list', { path: 'docs', recursive: true }))),
  en('files', 'Show me the files in the src folder and its subdirectories', calls(call('list', { path: 'src', recursive: true }))),
  en('files', 'List the files in docs without subfolders', cannot),
  zh('files', '列出 docs 目录里的所有文件，包括子文件夹', calls(call('list', { path: 'docs', recursive: true }))),
  zh('files', '把 src 文件夹和子目录里的文件都列出来', calls(call('list', { path: 'src', recursive: true }))),
  zh('files', '列出 docs 目录里的文件，不包括子文件夹', cannot),
]

const money: readonly OfflineSentence[] = [
  en('web', 'What is 80 pounds in euros?', calls(call('convert_currency', { amount: 80, from: 'GBP', to: 'EUR' }))),
  en('web', 'How many yen do I get for 20 dollars?', calls(call('convert_currency', { amount: 20, from: 'USD', to: 'JPY' }))),
  en('web', 'Convert $50 to euros', calls(call('convert_currency', { amount: 50, from: 'USD', to: 'EUR' }))),
  en('web', "What's 1,000 Japanese yen worth in Swiss francs?", calls(call('convert_currency', { amount: 1000, from: 'JPY', to: 'CHF' }))),
  en('web', 'Exchange 75 euros for dollars', calls(call('convert_currency', { amount: 75, from: 'EUR', to: 'USD' }))),
  zh('web', '把 100 欧元换成人民币', calls(call('convert_currency', { amount: 100, from: 'EUR', to: 'CNY' }))),
  zh('web', '50英镑等于多少美元？', calls(call('convert_currency', { amount: 50, from: 'GBP', to: 'USD' }))),
  zh('web', '两百块能买什么？', cannot),
  zh('web', '1000日元可以兑换多少港币', calls(call('convert_currency', { amount: 1000, from: 'JPY', to: 'HKD' }))),
  zh('web', '帮我算一下20美金是多少欧元', calls(call('convert_currency', { amount: 20, from: 'USD', to: 'EUR' }))),
  en('shop', 'I want a refund for order A-9', asks('amount')),
  en('shop', 'I would like a full refund of 30 dollars for order A-9', calls(call('refund_order', { order_id: 'A-9', amount: 30 }))),
  zh('shop', '我想给订单 A-9 部分退款', asks('amount')),
  en('home', "I'd like a timer for 5 minutes", calls(call('set_timer', { minutes: 5 }))),
  en(
    'media',
    'I need a table for 2 people at Mario on 2026-01-05',
    calls(call('book_table', { restaurant: 'Mario', people: 2, date: '2026-01-05' })),
  ),
  en('home', 'I want a dishwasher', cannot),
]

const words: readonly OfflineSentence[] = [
  en('media', 'Note that the car is parked on level 3', calls(call('create_note', { content: holding('car is parked on level 3') }))),
  en('media', 'Write down a note saying the plumber comes at 9', calls(call('create_note', { content: holding('plumber comes at 9') }))),
  en('chinese', "Send Lily a message saying that I'm on my way", calls(call('send_message', { contact: 'Lily', message: holding('on my way') }))),
  en('chinese', 'Let Bob know that lunch is ready', calls(call('send_message', { contact: 'Bob', message: holding('lunch is ready') }))),
  zh('media', '记一下停车位在三楼', calls(call('create_note', { content: holding('停车位在三楼') }))),
  zh('chinese', '给小李发消息说我在路上', calls(call('send_message', { contact: '小李', message: holding('我在路上') }))),
  zh('media', '播放邓紫棋的《泡沫》', calls(call('play_song', { title: '泡沫', artist: '邓紫棋' }))),
  zh('media', '播放 Adele 的《Hello》', calls(call('play_song', { title: 'Hello', artist: 'Adele' }))),
  zh('media', '放一首《七里香》', calls(call('play_song', { title: '七里香' }))),
  en('code', 'In src/a.ts, change "foo" to "bar"', calls(call('edit_file', { path: 'src/a.ts', old_text: 'foo', new_text: 'bar' }))),
  zh('code', '将 src/a.ts 中的“foo”替换为“bar”', calls(call('edit_file', { path: 'src/a.ts', old_text: 'foo', new_text: 'bar' }))),
  zh('code', '把 app.json 里的“甲”换成“乙”', calls(call('edit_file', { path: 'app.json', old_text: '甲', new_text: '乙' }))),
  zh('code', '把 acme/web 的第 12 号 issue 关掉', calls(call('close_issue', { repository: 'acme/web', number: 12 }))),
  zh('code', '运行 billing 包的测试', calls(call('run_tests', { package: 'billing' }))),
  en('code', 'Run the tests of the package auth', calls(call('run_tests', { package: 'auth' }))),
  en(
    'office',
    'Email ann@example.com, subject "Hi", text "See you soon"',
    calls(call('send_email', { to: 'ann@example.com', subject: 'Hi', body: 'See you soon' })),
  ),
  zh(
    'office',
    '发邮件给 ann@example.com，标题“你好”，正文“回头见”',
    calls(call('send_email', { to: 'ann@example.com', subject: '你好', body: '回头见' })),
  ),
]

const questions: readonly OfflineSentence[] = [
  en('web', 'How is the weather in Madrid today?', calls(call('get_weather', { city: 'Madrid' }))),
  en('web', "How's the weather in Rome?", calls(call('get_weather', { city: 'Rome' }))),
  en('web', "I'd like to know the weather in Cairo", calls(call('get_weather', { city: 'Cairo' }))),
  en('web', 'Could you tell me what the weather is in Lima?', calls(call('get_weather', { city: 'Lima' }))),
  zh('web', '请问深圳今天的天气怎么样？', calls(call('get_weather', { city: '深圳' }))),
  zh('web', '南京天气如何', calls(call('get_weather', { city: '南京' }))),
  zh('chinese', '我想知道福建的天气', calls(call('query_weather', { city: '福建' }))),
  zh('files', '如何读取文件？', cannot),
  zh('office', '2026年3月8日有部门聚餐，记到日历里', calls(call('create_event', { title: holding('聚餐'), date: '2026-03-08' }))),
  zh('office', '把2026年5月20日的体检加到日程', calls(call('create_event', { title: holding('体检'), date: '2026-05-20' }))),
  zh('shop', '订单号 20260401 现在什么状态？', calls(call('get_order', { order_id: '20260401' }))),
  zh('home', '请把厨房的灯关上，再定一个五分钟的闹钟', cannot),
  zh('home', '定个十五分钟的倒计时', calls(call('set_timer', { minutes: 15 }))),
  zh(
    'media',
    '在绿茶餐厅订一张四个人的桌子，2026年9月1日',
    calls(call('book_table', { restaurant: holding('绿茶'), people: 4, date: '2026-09-01' })),
  ),
  en(
    'media',
    'Book a table for four people at Luigi on 3 May 2026',
    calls(call('book_table', { restaurant: 'Luigi', people: 4, date: '2026-05-03' })),
  ),
  en('none', 'Hi there!', says('Hello')),
  en('files', 'Good morning!', says('Hello')),
  zh('files', '早上好！', says('你好')),
]

/** All sentences of the classes. */
export const classSentences: readonly OfflineSentence[] = [...chains, ...limits, ...money, ...words, ...questions]
