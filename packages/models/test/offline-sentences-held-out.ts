/** Sentences held out: whoever wrote them had seen neither the rules of the offline model nor the other lists. At first look 79 of 100 were understood. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, says, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  en(
    'files',
    'Can you open README.md and tell me what it says?',
    calls(call('read_file', { path: 'README.md' }, 'A small tool that renames photos.')),
  ),
  en(
    'files',
    'Summarise report.txt and save the summary as summary.txt',
    calls(
      call('read_file', { path: 'report.txt' }, 'Sales rose by 12 percent in spring.'),
      call('write_file', { path: 'summary.txt', content: holding('12 percent') }),
    ),
  ),
  en('files', "Write 'See you on Monday' to note.txt", calls(call('write_file', { path: 'note.txt', content: 'See you on Monday' }))),
  en(
    'files',
    'Show me all the files in the reports folder, including subfolders',
    calls(call('list', { path: 'reports', recursive: true }, 'reports/may.txt\nreports/old/april.txt')),
  ),
  en('files', 'Please delete old-notes.txt', cannot),

  en('mcp', 'Create a folder called invoices/2026', calls(call('create_directory', { path: 'invoices/2026' }))),
  en('mcp', 'Rename photo1.jpg to beach.jpg', calls(call('move_file', { source: 'photo1.jpg', destination: 'beach.jpg' }))),
  en('mcp', 'Show me the first 15 lines of access.log', calls(call('read_text_file', { path: 'access.log', head: 15 }, 'GET / 200'))),
  en('mcp', "Write 'hello world' into greeting.txt", cannot),

  en(
    'office',
    'Send an email to maria@example.com with the subject "Friday lunch" and the message "Shall we meet at noon?"',
    calls(call('send_email', { to: 'maria@example.com', subject: 'Friday lunch', body: 'Shall we meet at noon?' })),
  ),
  en('office', 'Add renewing my passport to my to-do list, high priority', calls(call('add_todo', { title: holding('passport'), priority: 'high' }))),
  en('office', "What's still on my todo list?", calls(call('list_todos', {}, '1. Buy stamps\n2. Water the plants'))),
  en('office', 'Ask me which colour I want for the cover', calls(call('ask_user', { question: holding('colour') }, 'Dark green'))),
  en('office', "Take 'buy milk' off my todo list", cannot),

  en(
    'web',
    "What's the weather in Lisbon right now, in fahrenheit?",
    calls(call('get_weather', { city: 'Lisbon', unit: 'fahrenheit' }, '72 degrees, sunny')),
  ),
  en('web', 'How much is 250 euros in US dollars?', calls(call('convert_currency', { amount: 250, from: 'EUR', to: 'USD' }, '271.50'))),
  en(
    'web',
    'Search the web for vegan lasagne recipes and give me at most 5 results',
    calls(call('web_search', { query: holding('vegan lasagne recipes'), max_results: 5 }, '1. Lasagne with lentils')),
  ),
  en('web', "What's the weather like right now?", asks('city')),

  en('shop', "What's the status of my order 48213?", calls(call('get_order', { order_id: '48213' }, 'Shipped yesterday'))),
  en('shop', 'Please refund 19.99 for order A-1042', calls(call('refund_order', { order_id: 'A-1042', amount: 19.99 }))),
  en('shop', "I'd like a partial refund for order 5501", asks('amount')),
  en('shop', 'Change the delivery address of order 48213 to 12 Elm Street', cannot),

  en('home', 'Turn off the light in the bedroom', calls(call('set_light', { room: 'bedroom', on: false }))),
  en(
    'home',
    'Switch on the kitchen light and start a timer for 10 minutes',
    calls(call('set_light', { room: 'kitchen', on: true }), call('set_timer', { minutes: 10 })),
  ),
  en('home', 'Start a timer for me', asks('minutes')),
  en('home', 'Lock the front door', cannot),

  en(
    'team',
    'Have the researcher find three sources about tidal power',
    calls(call('researcher', { prompt: holding('three sources', 'tidal power') }, 'Three sources: A, B and C')),
  ),
  en(
    'team',
    'Let the writer draft a thank-you letter to our volunteers',
    calls(call('writer', { prompt: holding('thank-you letter', 'volunteers') }, 'Dear volunteers, thank you.')),
  ),
  en(
    'team',
    'Get the researcher to look up how long bees sleep, then have the writer turn that into a short article',
    calls(
      call('researcher', { prompt: holding('bees sleep') }, 'Bees sleep between five and eight hours a day.'),
      call('writer', { prompt: holding('short article', 'between five and eight hours') }, 'Sleepy bees: an article.'),
    ),
  ),

  en(
    'chinese',
    "Send a message to Lily: I'll be there at eight",
    calls(call('send_message', { contact: 'Lily', message: "I'll be there at eight" })),
  ),

  en('code', 'Run the tests for the billing package', calls(call('run_tests', { package: 'billing' }, '14 passed'))),
  en(
    'code',
    'Open an issue in acme/webshop titled "Checkout button does nothing on Safari"',
    calls(call('create_issue', { repository: 'acme/webshop', title: 'Checkout button does nothing on Safari' }, 'Issue 88')),
  ),
  en('code', 'Delete the file tmp/output.log', calls(call('delete_file', { path: 'tmp/output.log' }))),
  en('code', 'Close an issue in acme/website', asks('number')),
  en('code', 'Play some jazz for me', cannot),

  en('media', 'Turn the volume to 35 percent', calls(call('set_volume', { percent: 35 }))),
  en('media', 'Make a note that the wifi password is bluebird42', calls(call('create_note', { content: holding('wifi password', 'bluebird42') }))),
  en('media', 'What is the current share price of MSFT?', calls(call('get_stock_price', { symbol: 'MSFT' }, '431.20'))),
  en('media', 'Skip to the next song', cannot),

  en('calculator', 'What is (48 + 16) * 3?', calls(call('calculator', { expression: holding('(48', '16)', '3') }, '192'))),
  en('calculator', "What's 15% of 240?", calls(call('calculator', { expression: holding('15', '240') }, '36'))),
  en('calculator', 'What time is it in Tokyo?', cannot),

  en('adder', 'What is 12.5 times 8?', calls(call('multiply', { a: 12.5, b: 8 }, '100'))),
  en('adder', 'Add 14 and 6, then multiply the result by 3', calls(call('add', { a: 14, b: 6 }, '20'), call('multiply', { a: 20, b: 3 }, '60'))),

  en('grep', 'Search for "deprecated" in the src folder', calls(call('grep', { pattern: 'deprecated', path: 'src' }, 'src/old.ts:3: // deprecated'))),
  en(
    'grep',
    'Summarise CHANGELOG.md in two sentences',
    calls(call('read_file', { path: 'CHANGELOG.md' }, 'Version 2 adds dark mode. It fixes the login. It drops Node 16.')),
  ),

  en('none', 'Hello!', says('Hello')),
  en('none', 'What is 6 times 7?', says('42')),
  en('none', 'Read notes.txt and tell me what is in it', cannot),
  en('none', "Send an email to bob@example.com saying that I'm ill today", cannot),
]

const chinese: readonly OfflineSentence[] = [
  zh('files', '帮我看看 notes.txt 里写了什么', calls(call('read_file', { path: 'notes.txt' }, '周三去取包裹。'))),
  zh('files', '总结一下 docs/plan.md 的主要内容', calls(call('read_file', { path: 'docs/plan.md' }, '第一步做调研。第二步写方案。第三步评审。'))),
  zh(
    'files',
    '读取 draft.txt，然后把内容原样保存到 backup.txt',
    calls(call('read_file', { path: 'draft.txt' }, '这是初稿。'), call('write_file', { path: 'backup.txt', content: '这是初稿。' })),
  ),
  zh(
    'files',
    '把 src 目录下的文件列出来，写进 filelist.txt',
    calls(call('list', { path: 'src' }, 'main.ts\nutils.ts'), call('write_file', { path: 'filelist.txt', content: holding('main.ts', 'utils.ts') })),
  ),
  zh('files', '把 photos 文件夹压缩成一个 zip 文件', cannot),

  zh('mcp', '新建一个叫 backup 的文件夹', calls(call('create_directory', { path: 'backup' }))),
  zh('mcp', '把 draft.docx 移动到 archive/draft.docx', calls(call('move_file', { source: 'draft.docx', destination: 'archive/draft.docx' }))),
  zh('mcp', '帮我新建一个文件夹', asks('path')),
  zh('mcp', '把 tmp 文件夹删掉', cannot),

  zh(
    'office',
    '给 li.wei@example.com 发一封邮件，主题是“周五聚餐”，内容是“六点在老地方见”',
    calls(call('send_email', { to: 'li.wei@example.com', subject: '周五聚餐', body: '六点在老地方见' })),
  ),
  zh('office', '2026年10月15日有产品评审会，帮我加到日历里', calls(call('create_event', { title: holding('产品评审会'), date: '2026-10-15' }))),
  zh('office', '把“交电费”加到待办事项里', calls(call('add_todo', { title: '交电费' }))),
  zh('office', '问我一下想订几点的车票', calls(call('ask_user', { question: holding('车票') }, '上午九点'))),

  zh('web', '北京现在天气怎么样？', calls(call('get_weather', { city: '北京' }, '晴，18 度'))),
  zh('web', '300美元能换多少人民币？', calls(call('convert_currency', { amount: 300, from: 'USD', to: 'CNY' }, '2160'))),
  zh('web', '在网上搜一下杭州有哪些值得去的博物馆', calls(call('web_search', { query: holding('杭州', '博物馆') }, '中国丝绸博物馆'))),
  zh('web', '给我妈妈打个电话', cannot),

  zh('shop', '查一下订单 20260318 的情况', calls(call('get_order', { order_id: '20260318' }, '已付款'))),
  zh('shop', '列出所有已付款的订单', calls(call('list_orders', { status: 'paid' }, '1001, 1002'))),
  zh('shop', '我要退款 50 元', asks('order_id')),

  zh('home', '把厨房的灯打开', calls(call('set_light', { room: 'kitchen', on: true }))),
  zh(
    'home',
    '把浴室的灯关了，然后定一个20分钟的计时器',
    calls(call('set_light', { room: 'bathroom', on: false }), call('set_timer', { minutes: 20 })),
  ),
  zh('home', '把空调调到26度', cannot),

  zh('team', '让 researcher 查一下太阳能发电成本的最新数据', calls(call('researcher', { prompt: holding('太阳能发电成本') }, '每度电约三毛钱。'))),
  zh('team', '请 writer 写一篇关于春节习俗的短文', calls(call('writer', { prompt: holding('春节习俗', '短文') }, '春节到了。'))),
  zh('team', '帮我找一些关于茶叶历史的资料和出处', calls(call('researcher', { prompt: holding('茶叶历史') }, '《茶经》，陆羽著。'))),
  zh('team', '帮我把卧室的灯关掉', cannot),

  zh('chinese', '上海今天天气如何？', calls(call('query_weather', { city: '上海' }, '多云，22 度'))),
  zh('chinese', '无线鼠标还有多少库存？', calls(call('query_stock', { product: '无线鼠标' }, '37'))),
  zh('chinese', '给小李发消息：会议改到下午三点', calls(call('send_message', { contact: '小李', message: '会议改到下午三点' }))),
  zh('chinese', '2026年12月1日提醒我续签护照', calls(call('create_reminder', { content: holding('续签护照'), date: '2026-12-01' }))),
  zh('chinese', '给张伟发条消息', asks('message')),
  zh('chinese', '帮我查一下腾讯的股价', cannot),

  zh('code', '关闭 acme/shop 仓库的 31 号 issue', calls(call('close_issue', { repository: 'acme/shop', number: 31 }))),
  zh(
    'code',
    '把 config.yaml 里的“port: 8080”改成“port: 9090”',
    calls(call('edit_file', { path: 'config.yaml', old_text: 'port: 8080', new_text: 'port: 9090' })),
  ),

  zh('media', '播放周杰伦的《晴天》', calls(call('play_song', { title: '晴天', artist: '周杰伦' }))),
  zh(
    'media',
    '把“我想喝一杯咖啡”翻译成英文',
    calls(call('translate_text', { text: '我想喝一杯咖啡', language: 'english' }, 'I would like a cup of coffee')),
  ),
  zh(
    'media',
    '帮我在海底捞订一张6个人的桌子，日期是2026年8月20日',
    calls(call('book_table', { restaurant: '海底捞', people: 6, date: '2026-08-20' })),
  ),
  zh('media', '帮我调一下音量', asks('percent')),
  zh('media', '帮我拍一张照片', cannot),

  zh('calculator', '算一下 (35 + 27) * 4 等于多少', calls(call('calculator', { expression: holding('(35', '27)', '4') }, '248'))),
  zh('calculator', '960 除以 12 是多少？', calls(call('calculator', { expression: holding('960', '/', '12') }, '80'))),

  zh('adder', '256 加 189 等于几？', calls(call('add', { a: 256, b: 189 }, '445'))),
  zh('adder', '把“早上好”翻译成英文', cannot),

  zh('grep', '哪些文件里提到了“发票”？', calls(call('grep', { pattern: '发票' }, 'docs/财务.md:4: 发票'))),
  zh(
    'grep',
    '在 logs 文件夹里搜索“超时”，把结果写到 timeouts.txt',
    calls(
      call('grep', { pattern: '超时', path: 'logs' }, 'logs/app.log:12: 连接超时'),
      call('write_file', { path: 'timeouts.txt', content: holding('logs/app.log:12: 连接超时') }),
    ),
  ),
  zh('grep', '把 debug.log 这个文件删除', cannot),

  zh('none', '你好！', says('你好')),
  zh('none', '8 乘以 9 等于多少？', says('72')),
  zh('none', '帮我打开 todo.txt，看看里面有什么', cannot),
]

/** The held-out list: fifty sentences in English, fifty in Chinese. */
export const heldOutSentences: readonly OfflineSentence[] = [...english, ...chinese]
