/** A second blind list of sentences: whoever wrote it had seen neither the rules of the offline model nor the other lists. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  // Reading
  en('files', 'Open shopping.txt and show me what it says', calls(call('read_file', { path: 'shopping.txt' }, 'Eggs, flour, butter.'))),
  en('files', 'What does config/settings.json contain?', calls(call('read_file', { path: 'config/settings.json' }, '{"theme":"dark"}'))),
  en('mcp', 'I need to see the contents of docs/install.md', calls(call('read_text_file', { path: 'docs/install.md' }, 'Run the installer.'))),
  en('mcp', 'Show me the first 20 lines of server.log', calls(call('read_text_file', { path: 'server.log', head: 20 }, 'Server started.'))),
  // Listing
  en('files', 'Which files are in the photos folder?', calls(call('list', { path: 'photos' }, 'beach.jpg\ncat.jpg'))),
  en('files', 'List everything in src, including the subfolders', calls(call('list', { path: 'src', recursive: true }, 'src/a.ts\nsrc/b/c.ts'))),
  en('mcp', "Show me what's in the directory projects/garden", calls(call('list_directory', { path: 'projects/garden' }, 'plan.md'))),
  // Searching files
  en('grep', 'Find where "timeout" is mentioned in the src folder', calls(call('grep', { pattern: 'timeout', path: 'src' }, 'src/http.ts:12'))),
  en('grep', 'Search all the files for the word "invoice"', calls(call('grep', { pattern: 'invoice' }, 'letters/may.txt:3'))),
  en('mcp', 'Look for a file called budget.xlsx in documents', calls(call('search_files', { pattern: 'budget.xlsx', path: 'documents' }))),
  // Searching the web
  en('web', 'Look up the population of Iceland on the internet', calls(call('web_search', { query: holding('population of Iceland') }))),
  en('web', 'Search the web for how to remove red wine stains', calls(call('web_search', { query: holding('remove red wine stains') }))),
  en('web', 'Google the opening hours of the British Museum', calls(call('web_search', { query: holding('opening hours', 'British Museum') }))),
  // Summarising
  en(
    'files',
    'Give me a short summary of minutes.txt',
    calls(call('read_file', { path: 'minutes.txt' }, 'The board met on Monday. It approved the budget. The next meeting is in June.')),
  ),
  en(
    'mcp',
    'Can you sum up reports/2023.md for me?',
    calls(call('read_text_file', { path: 'reports/2023.md' }, 'Sales grew by ten percent. Costs stayed the same. Two shops were opened.')),
  ),
  // Writing
  en('files', 'Write "Back at 3 pm" to door.txt', calls(call('write_file', { path: 'door.txt', content: 'Back at 3 pm' }))),
  en(
    'files',
    'Create a file named wishes.md with the text "A bike and a book"',
    calls(call('write_file', { path: 'wishes.md', content: 'A bike and a book' })),
  ),
  en(
    'grep',
    'Please save "The key is under the mat" in notes/key.txt',
    calls(call('write_file', { path: 'notes/key.txt', content: 'The key is under the mat' })),
  ),
  // Calculating
  en('calculator', 'How much is 348 + 1279?', calls(call('calculator', { expression: holding('348', '+', '1279') }, '1627'))),
  en('calculator', 'Work out (45 - 9) / 4 for me', calls(call('calculator', { expression: holding('(45', '9)', '/', '4') }, '9'))),
  en('adder', "What's 17 plus 25?", calls(call('add', { a: 17, b: 25 }, '42'))),
  en('adder', 'Multiply 12.5 by 8', calls(call('multiply', { a: 12.5, b: 8 }, '100'))),
  // Todo list
  en('office', 'Add "renew passport" to my todo list', calls(call('add_todo', { title: 'renew passport' }))),
  en('office', 'Put call the dentist on my to-do list', calls(call('add_todo', { title: holding('the dentist') }))),
  en('office', 'Add a high priority todo: pay the water bill', calls(call('add_todo', { title: holding('the water bill'), priority: 'high' }))),
  en('office', 'What do I still have on my todo list?', calls(call('list_todos', {}, 'renew passport'))),
  // Asking the user
  en('office', 'Ask me which colour I want for the kitchen', calls(call('ask_user', { question: holding('colour', 'kitchen') }, 'Green'))),
  en('office', 'Ask the user "Is the report finished?"', calls(call('ask_user', { question: 'Is the report finished?' }, 'Yes'))),
  // Delegating
  en(
    'team',
    'Have the researcher find out when the Eiffel Tower was built',
    calls(call('researcher', { prompt: holding('Eiffel Tower was built') }, 'From 1887 to 1889.')),
  ),
  en('team', 'Ask the writer to write a birthday poem for my aunt', calls(call('writer', { prompt: holding('birthday poem', 'aunt') }, 'Dear aunt'))),
  en(
    'team',
    'Let the researcher look for sources about bees in cities',
    calls(call('researcher', { prompt: holding('bees in cities') }, 'Three sources.')),
  ),
  // Two steps
  en(
    'files',
    'Read draft.txt and save its contents as final.txt',
    calls(
      call('read_file', { path: 'draft.txt' }, 'The party is on Friday.'),
      call('write_file', { path: 'final.txt', content: 'The party is on Friday.' }),
    ),
  ),
  en(
    'files',
    'Copy the text of recipe.md into backup/recipe.md',
    calls(
      call('read_file', { path: 'recipe.md' }, 'Boil the rice for ten minutes.'),
      call('write_file', { path: 'backup/recipe.md', content: 'Boil the rice for ten minutes.' }),
    ),
  ),
  en(
    'grep',
    'Search src for "deprecated" and write the results to found.txt',
    calls(
      call('grep', { pattern: 'deprecated', path: 'src' }, 'src/old.ts:4: deprecated'),
      call('write_file', { path: 'found.txt', content: holding('src/old.ts:4') }),
    ),
  ),
  en(
    'files',
    'Summarise report.md and write the summary to summary.md',
    calls(
      call('read_file', { path: 'report.md' }, 'The harvest was good this year.'),
      call('write_file', { path: 'summary.md', content: holding('harvest') }),
    ),
  ),
  // A field is missing
  en('files', 'Write "See you tomorrow" to a file', asks('path')),
  en('web', 'Search the web for me', asks('query')),
  en('office', 'Add an item to my todo list', asks('title')),
  // Cannot be done with these tools
  en('files', 'Delete the file old-notes.txt', cannot),
  en('files', 'Search the web for cheap flights to Rome', cannot),
  en('mcp', 'Write "hello everyone" to greeting.txt', cannot),
  en('adder', 'What is 84 divided by 7?', cannot),
  en('office', 'Read the file contract.txt', cannot),
  en('team', 'Have the accountant check the invoices of March', cannot),
  en('web', 'Add "buy stamps" to my todo list', cannot),
]

const chinese: readonly OfflineSentence[] = [
  // Reading
  zh('files', '打开 diary.txt 给我看看', calls(call('read_file', { path: 'diary.txt' }, '今天下雨。'))),
  zh('files', 'config/app.yaml 里面写了什么？', calls(call('read_file', { path: 'config/app.yaml' }, 'port: 80'))),
  zh('mcp', '帮我读一下 docs/guide.md 的内容', calls(call('read_text_file', { path: 'docs/guide.md' }, '先安装，再运行。'))),
  zh('mcp', '显示 error.log 的前 10 行', calls(call('read_text_file', { path: 'error.log', head: 10 }, '没有错误'))),
  // Listing
  zh('files', 'music 文件夹里有哪些文件？', calls(call('list', { path: 'music' }, 'a.mp3\nb.mp3'))),
  zh('grep', '列出 src/lib 目录下的文件', calls(call('list', { path: 'src/lib' }, 'index.ts'))),
  zh('mcp', '看看 downloads 目录里都有什么', calls(call('list_directory', { path: 'downloads' }, 'photo.png'))),
  // Searching files
  zh('grep', '在 src 文件夹里搜索“登录失败”', calls(call('grep', { pattern: '登录失败', path: 'src' }, 'src/login.ts:8'))),
  zh('grep', '查一下哪些文件里提到了“合同编号”', calls(call('grep', { pattern: '合同编号' }, 'a.txt:2'))),
  zh('mcp', '帮我在 documents 里找名为 resume.pdf 的文件', calls(call('search_files', { pattern: 'resume.pdf', path: 'documents' }))),
  // Searching the web
  zh('web', '上网搜一下怎么腌黄瓜', calls(call('web_search', { query: holding('腌黄瓜') }))),
  zh('web', '在网上查查故宫的开放时间', calls(call('web_search', { query: holding('故宫', '开放时间') }))),
  zh('web', '帮我搜索二手钢琴的价格', calls(call('web_search', { query: holding('二手钢琴', '价格') }))),
  // Summarising
  zh('files', '总结一下 meeting.txt', calls(call('read_file', { path: 'meeting.txt' }, '周一开了会。大家同意了预算。下次会议在六月。'))),
  zh(
    'mcp',
    '帮我概括 reports/sales.md 的主要内容',
    calls(call('read_text_file', { path: 'reports/sales.md' }, '销售额增长了一成。成本没有变化。新开了两家店。')),
  ),
  // Writing
  zh('files', '把“明天上午九点开会”写入 notice.txt', calls(call('write_file', { path: 'notice.txt', content: '明天上午九点开会' }))),
  zh('files', '新建一个文件 hello.md，内容是“大家好”', calls(call('write_file', { path: 'hello.md', content: '大家好' }))),
  zh('grep', '将“钥匙在门垫下面”保存到 notes/key.txt', calls(call('write_file', { path: 'notes/key.txt', content: '钥匙在门垫下面' }))),
  // Calculating
  zh('calculator', '算一下 256 + 1024', calls(call('calculator', { expression: holding('256', '+', '1024') }, '1280'))),
  zh('calculator', '(18 + 6) * 5 等于多少？', calls(call('calculator', { expression: holding('(18', '6)', '*', '5') }, '120'))),
  zh('adder', '39加46是多少', calls(call('add', { a: 39, b: 46 }, '85'))),
  zh('adder', '帮我算 15 乘以 24', calls(call('multiply', { a: 15, b: 24 }, '360'))),
  // Todo list
  zh('office', '把“交电费”加到待办清单', calls(call('add_todo', { title: '交电费' }))),
  zh('office', '添加一个待办事项：给妈妈打电话', calls(call('add_todo', { title: '给妈妈打电话' }))),
  zh('office', '我的待办列表里有什么？', calls(call('list_todos', {}, '交电费'))),
  // Asking the user
  zh('office', '问用户“要不要加糖？”', calls(call('ask_user', { question: '要不要加糖？' }, '不要'))),
  zh('office', '问我想订哪一天的车票', calls(call('ask_user', { question: holding('哪一天', '车票') }, '周五'))),
  // Delegating
  zh('team', '让 researcher 查一下长城有多长', calls(call('researcher', { prompt: holding('长城有多长') }, '两万多公里'))),
  zh('team', '请 writer 写一封感谢信给邻居', calls(call('writer', { prompt: holding('感谢信', '邻居') }, '亲爱的邻居'))),
  zh('team', '把这个任务交给 researcher：找三篇关于睡眠的资料', calls(call('researcher', { prompt: holding('找三篇关于睡眠的资料') }, '三篇'))),
  // Two steps
  zh(
    'files',
    '读取 draft.txt，然后把内容保存到 final.txt',
    calls(call('read_file', { path: 'draft.txt' }, '聚会在星期五。'), call('write_file', { path: 'final.txt', content: '聚会在星期五。' })),
  ),
  zh(
    'files',
    '把 recipe.md 的内容复制到 backup/recipe.md',
    calls(call('read_file', { path: 'recipe.md' }, '米饭煮十分钟。'), call('write_file', { path: 'backup/recipe.md', content: '米饭煮十分钟。' })),
  ),
  zh(
    'grep',
    '在 docs 里搜索“过期”，把结果写到 result.txt',
    calls(
      call('grep', { pattern: '过期', path: 'docs' }, 'docs/api.md:7: 过期'),
      call('write_file', { path: 'result.txt', content: holding('docs/api.md:7') }),
    ),
  ),
  zh(
    'files',
    '总结 report.md，并把总结写进 summary.md',
    calls(call('read_file', { path: 'report.md' }, '今年的收成很好。'), call('write_file', { path: 'summary.md', content: holding('收成') })),
  ),
  // A field is missing
  zh('files', '帮我读一个文件', asks('path')),
  zh('files', '把“晚点回来”写到一个文件里', asks('path')),
  zh('office', '给我的待办清单加一项', asks('title')),
  // Cannot be done with these tools
  zh('office', '把待办“买牛奶”标记为已完成', cannot),
  zh('grep', '删除 temp.txt', cannot),
  zh('calculator', '列出 docs 文件夹里的文件', cannot),
  zh('web', '读一下 notes.txt', cannot),
  zh('mcp', '上网搜一下上海的美术馆', cannot),
  zh('adder', '144 的平方根是多少？', cannot),
  zh('team', '让设计师画一张海报', cannot),
  zh('files', '把“交房租”加到我的待办清单', cannot),
]

/** Ninety everyday errands, half in English and half in Chinese. */
export const secondBlindSentences: readonly OfflineSentence[] = [...english, ...chinese]
