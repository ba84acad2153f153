/** Everyday errands in both languages, written by someone who had seen neither the rules nor the other lists. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  // Read a file.
  en('files', "What's in packing-list.txt?", calls(call('read_file', { path: 'packing-list.txt' }, 'socks, tent, torch'))),
  en('files', 'Could you open docs/setup.md and show me the text?', calls(call('read_file', { path: 'docs/setup.md' }, 'Install Node first.'))),
  en('mcp', 'Show me the first 20 lines of logs/server.log', calls(call('read_text_file', { path: 'logs/server.log', head: 20 }, 'started'))),
  en('grep', 'I need to see the contents of config/app.yaml.', calls(call('read_file', { path: 'config/app.yaml' }, 'port: 8080'))),
  // List a folder.
  en('files', 'Which files are in the invoices folder?', calls(call('list', { path: 'invoices' }, 'march.pdf\napril.pdf'))),
  en('files', 'List everything in photos, including all subfolders.', calls(call('list', { path: 'photos', recursive: true }, 'photos/2023/a.jpg'))),
  en('mcp', 'Show me what is inside the directory src/components', calls(call('list_directory', { path: 'src/components' }, 'Button.tsx'))),
  en('grep', 'Give me a list of the files in tests/unit', calls(call('list', { path: 'tests/unit' }, 'math.test.ts'))),
  // Search.
  en(
    'web',
    'Look up the best time of year to visit Lisbon on the web.',
    calls(call('web_search', { query: holding('best time of year to visit Lisbon') }, 'May')),
  ),
  en('web', 'Search online for gluten free pizza dough recipes', calls(call('web_search', { query: 'gluten free pizza dough recipes' }, 'a recipe'))),
  en(
    'web',
    'Find 5 results on the web about electric cargo bikes.',
    calls(call('web_search', { query: holding('electric cargo bikes'), max_results: 5 }, 'a shop')),
  ),
  en(
    'grep',
    'Which files in the docs folder mention "refund"?',
    calls(call('grep', { pattern: 'refund', path: 'docs' }, 'docs/terms.md:12: refund')),
  ),
  en('grep', 'Search for the word timeout in src/server', calls(call('grep', { pattern: 'timeout', path: 'src/server' }, 'src/server/http.ts:3'))),
  en('mcp', 'Find all files matching *.csv under data', calls(call('search_files', { path: 'data', pattern: '*.csv' }, 'data/sales.csv'))),
  // Summarise a file.
  en('files', 'Give me a short summary of meeting-notes.md', calls(call('read_file', { path: 'meeting-notes.md' }, 'We agreed to ship on Friday.'))),
  en('mcp', 'Summarize reports/q3.txt for me in a few sentences.', calls(call('read_text_file', { path: 'reports/q3.txt' }, 'Sales rose by 4%.'))),
  en('grep', 'What are the main points of proposal.txt?', calls(call('read_file', { path: 'proposal.txt' }, 'We propose a new bridge.'))),
  // Write a given text to a file.
  en(
    'files',
    'Save the text "The key is under the mat" to note.txt',
    calls(call('write_file', { path: 'note.txt', content: 'The key is under the mat' })),
  ),
  en('files', "Create a file called hello.py with the content print('hi')", calls(call('write_file', { path: 'hello.py', content: "print('hi')" }))),
  en(
    'grep',
    'Put this into drafts/invite.md: You are invited to our garden party on Saturday.',
    calls(call('write_file', { path: 'drafts/invite.md', content: holding('You are invited to our garden party on Saturday') })),
  ),
  // Calculate.
  en('calculator', "What's 348 divided by 12?", calls(call('calculator', { expression: holding('348', '/', '12') }, '29'))),
  en('calculator', 'Work out (45 + 15) * 7 for me', calls(call('calculator', { expression: holding('(', '45', '+', '15', ')', '*', '7') }, '420'))),
  en('calculator', 'How much is 15% of 80?', calls(call('calculator', { expression: holding('15', '80') }, '12'))),
  en('adder', 'What do 129 and 374 add up to?', calls(call('add', { a: 129, b: 374 }, '503'))),
  en('adder', 'How much is 24 times 3.5?', calls(call('multiply', { a: 24, b: 3.5 }, '84'))),
  // Todo list.
  en('office', 'Add buy oat milk to my todo list', calls(call('add_todo', { title: 'buy oat milk' }))),
  en('office', 'Put "renew passport" on my to-do list with high priority.', calls(call('add_todo', { title: 'renew passport', priority: 'high' }))),
  en('office', 'What do I still have on my todo list?', calls(call('list_todos', {}, 'buy oat milk'))),
  // Ask the user.
  en('office', 'Ask me what colour the walls should be.', calls(call('ask_user', { question: holding('colour', 'walls') }, 'blue'))),
  // Delegate.
  en(
    'team',
    'Ask the researcher to find out when the Eiffel Tower was built.',
    calls(call('researcher', { prompt: holding('when the Eiffel Tower was built') }, '1889')),
  ),
  en(
    'team',
    'Have the writer draft a birthday poem for my sister',
    calls(call('writer', { prompt: holding('birthday poem for my sister') }, 'a poem')),
  ),
  // Two steps.
  en(
    'files',
    'Read draft.txt and write its contents to final.txt',
    calls(call('read_file', { path: 'draft.txt' }, 'Roses are red.'), call('write_file', { path: 'final.txt', content: holding('Roses are red.') })),
  ),
  en(
    'grep',
    'Search src for "deprecated" and save the matches to found.txt.',
    calls(
      call('grep', { pattern: 'deprecated', path: 'src' }, 'src/old.ts:4: deprecated'),
      call('write_file', { path: 'found.txt', content: holding('src/old.ts:4: deprecated') }),
    ),
  ),
  en(
    'files',
    'Summarise report.md and save the summary as summary.md',
    calls(call('read_file', { path: 'report.md' }, 'The harvest was good.'), call('write_file', { path: 'summary.md', content: holding('harvest') })),
  ),
  // A field is missing.
  en('files', 'Save "see you at noon" to a file.', asks('path')),
  en('web', 'Do a web search.', asks('query')),
  en('office', 'Add a new item to my todo list.', asks('title')),
  // Nothing here can do it.
  en('mcp', 'Write "back in ten minutes" to door.txt', cannot),
  en('files', 'Delete old-report.txt', cannot),
  en('calculator', 'Search the web for cheap flights to Rome.', cannot),
  en('web', 'Add water the plants to my todo list', cannot),
  en('office', 'List the files in the Downloads folder.', cannot),
  en('adder', 'Read notes.txt and tell me what it says', cannot),
  en('office', 'Mark the dentist item on my todo list as done.', cannot),
  en('calculator', "What's on my todo list?", cannot),
]

const chinese: readonly OfflineSentence[] = [
  // Read a file.
  zh('files', '打开 readme.md 给我看看', calls(call('read_file', { path: 'readme.md' }, '欢迎使用'))),
  zh('files', 'notes/周计划.txt 里面写了什么？', calls(call('read_file', { path: 'notes/周计划.txt' }, '周一开会'))),
  zh('mcp', '帮我读一下 config/settings.json 的内容', calls(call('read_text_file', { path: 'config/settings.json' }, '{}'))),
  zh('mcp', '显示 logs/error.log 的前 10 行', calls(call('read_text_file', { path: 'logs/error.log', head: 10 }, '错误'))),
  // List a folder.
  zh('files', '看看 docs 文件夹里有哪些文件', calls(call('list', { path: 'docs' }, 'a.md'))),
  zh('mcp', '列出 src/utils 目录下的所有内容', calls(call('list_directory', { path: 'src/utils' }, 'date.ts'))),
  zh('grep', 'images 目录里都有什么？', calls(call('list', { path: 'images' }, 'logo.png'))),
  zh('files', '把 backup 文件夹连同子文件夹里的文件都列出来', calls(call('list', { path: 'backup', recursive: true }, 'backup/1/a.txt'))),
  // Search.
  zh('web', '上网查一下杭州有哪些好吃的面馆', calls(call('web_search', { query: holding('杭州', '面馆') }, '奎元馆'))),
  zh('web', '在网上搜索“小户型装修技巧”', calls(call('web_search', { query: '小户型装修技巧' }, '多用白色'))),
  zh('web', '帮我搜一下怎么给自行车换内胎', calls(call('web_search', { query: holding('自行车换内胎') }, '先放气'))),
  zh('grep', '在 src 目录里搜索“password”', calls(call('grep', { pattern: 'password', path: 'src' }, 'src/login.ts:7'))),
  zh('grep', '查一下 docs 里哪些文件提到了“退款”', calls(call('grep', { pattern: '退款', path: 'docs' }, 'docs/faq.md:3'))),
  zh('mcp', '在 data 文件夹里查找 *.xlsx 文件', calls(call('search_files', { path: 'data', pattern: '*.xlsx' }, 'data/工资.xlsx'))),
  // Summarise a file.
  zh('files', '总结一下 会议记录.md 的内容', calls(call('read_file', { path: '会议记录.md' }, '决定周五发布。'))),
  zh('mcp', '用几句话概括 report/2024.txt', calls(call('read_text_file', { path: 'report/2024.txt' }, '销售额增长了。'))),
  zh('grep', '帮我给 proposal.md 做个摘要', calls(call('read_file', { path: 'proposal.md' }, '建议新建一座桥。'))),
  // Write a given text to a file.
  zh('files', '把“钥匙在门垫下面”写到 note.txt', calls(call('write_file', { path: 'note.txt', content: '钥匙在门垫下面' }))),
  zh('files', '新建一个文件 todo.md，内容是：周末去爬山', calls(call('write_file', { path: 'todo.md', content: '周末去爬山' }))),
  zh('grep', '请将“今晚八点开会”保存到 notices/会议.txt 里', calls(call('write_file', { path: 'notices/会议.txt', content: '今晚八点开会' }))),
  // Calculate.
  zh('calculator', '帮我算一下 256 除以 8', calls(call('calculator', { expression: holding('256', '/', '8') }, '32'))),
  zh('calculator', '(12 + 30) * 5 等于多少？', calls(call('calculator', { expression: holding('(', '12', '+', '30', ')', '*', '5') }, '210'))),
  zh('calculator', '1000 减 375 是多少', calls(call('calculator', { expression: holding('1000', '-', '375') }, '625'))),
  zh('adder', '18 乘以 46 得多少？', calls(call('multiply', { a: 18, b: 46 }, '828'))),
  zh('adder', '把 99 和 201 加起来', calls(call('add', { a: 99, b: 201 }, '300'))),
  // Todo list.
  zh('office', '在待办清单里加一条：交电费', calls(call('add_todo', { title: '交电费' }))),
  zh('office', '把“预约体检”加到我的待办事项里', calls(call('add_todo', { title: '预约体检' }))),
  zh('office', '我还有哪些待办事项？', calls(call('list_todos', {}, '交电费'))),
  zh('office', '看一下我的待办清单', calls(call('list_todos', {}, '预约体检'))),
  // Ask the user.
  zh('office', '问我一下晚饭想吃什么', calls(call('ask_user', { question: holding('晚饭想吃什么') }, '面条'))),
  // Delegate.
  zh('team', '让 researcher 查一下长城有多长', calls(call('researcher', { prompt: holding('长城有多长') }, '两万多公里'))),
  zh('team', '请 writer 写一封感谢客户的信', calls(call('writer', { prompt: holding('感谢客户的信') }, '尊敬的客户'))),
  // Two steps.
  zh(
    'files',
    '读取 草稿.txt，然后把内容写到 定稿.txt',
    calls(call('read_file', { path: '草稿.txt' }, '春天来了。'), call('write_file', { path: '定稿.txt', content: holding('春天来了。') })),
  ),
  zh(
    'grep',
    '在 src 里搜索“FIXME”，把结果保存到 fixme.txt',
    calls(
      call('grep', { pattern: 'FIXME', path: 'src' }, 'src/a.ts:9: FIXME'),
      call('write_file', { path: 'fixme.txt', content: holding('src/a.ts:9: FIXME') }),
    ),
  ),
  zh(
    'files',
    '把 年报.md 总结一下，写进 摘要.md',
    calls(call('read_file', { path: '年报.md' }, '今年利润增长。'), call('write_file', { path: '摘要.md', content: holding('利润') })),
  ),
  // A field is missing.
  zh('files', '把“明天停水”写进一个文件', asks('path')),
  zh('files', '帮我读一个文件', asks('path')),
  zh('office', '帮我加一条待办', asks('title')),
  // Nothing here can do it.
  zh('mcp', '把“你好，世界”写到 hello.txt', cannot),
  zh('files', '把 old.log 删掉', cannot),
  zh('calculator', '看看我的待办清单里有什么', cannot),
  zh('web', '读一下 config.json 这个文件', cannot),
  zh('office', '列出 docs 目录里的文件', cannot),
  zh('adder', '上网查一下明天的火车票', cannot),
  zh('office', '把待办里的“交房租”删掉', cannot),
]

/** The blind list: 45 sentences in English, 45 in Chinese. */
export const blindSentences: readonly OfflineSentence[] = [...english, ...chinese]
