/** Tools that the offline model has never heard of: it sees their names, descriptions and schemas, like any model. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { spec, text } from './offline-tool.ts'
import { counters } from './offline-toolboxes-counters.ts'
import { errands } from './offline-toolboxes-errands.ts'
import { places } from './offline-toolboxes-places.ts'
import { trades } from './offline-toolboxes-trades.ts'

const files = [
  spec('read_file', 'Reads a text file.', { path: text('The path of the file.'), offset: { type: 'integer' }, limit: { type: 'integer' } }, ['path']),
  spec('write_file', 'Writes a text file: the whole content.', { path: text('The path of the file.'), content: text('The whole text.') }),
  spec('list', 'Lists the files of a folder.', { path: text('The folder; default: the root.'), recursive: { type: 'boolean' } }, []),
]

const mcp = [
  spec('read_text_file', 'Read the complete contents of a file as text.', { path: { type: 'string' }, head: { type: 'number' } }, ['path']),
  spec('create_directory', 'Create a new directory or ensure that it exists.', { path: { type: 'string' } }),
  spec('list_directory', 'Get a detailed listing of all files and directories in a path.', { path: { type: 'string' } }),
  spec('move_file', 'Move or rename files and directories.', { source: { type: 'string' }, destination: { type: 'string' } }),
  spec('search_files', 'Recursively search for files matching a pattern.', { path: { type: 'string' }, pattern: { type: 'string' } }, ['pattern']),
]

const office = [
  spec('send_email', 'Sends an e-mail.', { to: { type: 'string', format: 'email' }, subject: text('The subject line.'), body: text('The message.') }),
  spec('create_event', 'Puts an event into the calendar.', { title: text('What it is.'), date: { type: 'string', format: 'date' } }),
  spec('add_todo', 'Adds an item to the todo list.', { title: text('What is to be done.'), priority: { enum: ['low', 'medium', 'high'] } }, [
    'title',
  ]),
  spec('list_todos', 'Lists the items of the todo list.', {}),
  spec('ask_user', 'Asks the user a question and waits for the answer.', { question: text('The question.') }),
]

const web = [
  spec('web_search', 'Searches the web.', { query: text('What to look for.'), max_results: { type: 'integer' } }, ['query']),
  spec('http_request', 'Fetches a URL.', { url: { type: 'string', format: 'uri' }, method: { enum: ['GET', 'POST', 'DELETE'] } }, ['url']),
  spec('get_weather', 'The current weather of a city.', { city: text('The name of the city.'), unit: { enum: ['celsius', 'fahrenheit'] } }, ['city']),
  spec('convert_currency', 'Converts an amount of money from one currency to another.', {
    amount: { type: 'number' },
    from: text('Three-letter code, such as EUR.'),
    to: text('Three-letter code, such as USD.'),
  }),
]

const shop = [
  spec('get_order', 'Looks up an order by its number.', { order_id: text('The number of the order.') }),
  spec('refund_order', 'Refunds an order.', { order_id: text('The number of the order.'), amount: { type: 'number' } }),
  spec('list_orders', 'Lists orders by their status.', { status: { enum: ['open', 'paid', 'shipped'] }, limit: { type: 'integer' } }, ['status']),
]

const home = [
  spec('set_light', 'Turns a light on or off.', { room: { enum: ['kitchen', 'bedroom', 'bathroom'] }, on: { type: 'boolean' } }),
  spec('set_timer', 'Starts a timer.', { minutes: { type: 'number', description: 'How many minutes.' } }),
]

const team = [
  spec('researcher', 'Hands a task to the agent researcher: finds facts and sources.', { prompt: text('The task.') }),
  spec('writer', 'Hands a task to the agent writer: writes texts.', { prompt: text('The task.') }),
]

const chinese = [
  spec('query_weather', '查询城市的天气', { city: text('城市名称') }),
  spec('query_stock', '查询商品的库存数量', { product: text('商品名称') }),
  spec('send_message', '给联系人发送消息', { contact: text('联系人'), message: text('消息内容') }),
  spec('create_reminder', '创建提醒', { content: text('提醒内容'), date: { type: 'string', format: 'date', description: '日期' } }),
]

const code = [
  spec(
    'create_issue',
    'Opens an issue in a repository.',
    { repository: text('Such as owner/name.'), title: text('One line.'), body: text('Details.') },
    ['repository', 'title'],
  ),
  spec('close_issue', 'Closes an issue.', { repository: text('Such as owner/name.'), number: { type: 'integer' } }),
  spec('run_tests', 'Runs the tests of a package.', { package: text('The name of the package.'), watch: { type: 'boolean' } }, ['package']),
  spec('edit_file', 'Replaces a text in a file.', {
    path: text('The path.'),
    old_text: text('What is there.'),
    new_text: text('What shall be there.'),
  }),
  spec('delete_file', 'Deletes a file.', { path: text('The path of the file.') }),
  spec('bash', 'Runs a shell command.', { command: text('The command line.') }),
]

const media = [
  spec('play_song', 'Plays a song.', { title: text('The title.'), artist: text('Who plays it.') }, ['title']),
  spec('set_volume', 'Sets the volume.', { percent: { type: 'integer', minimum: 0, maximum: 100 } }),
  spec('translate_text', 'Translates a text.', { text: text('The text.'), language: { enum: ['english', 'german', 'chinese'] } }),
  spec('create_note', 'Saves a note.', { content: text('What to remember.') }),
  spec('get_stock_price', 'The price of a share.', { symbol: text('The ticker symbol, such as AAPL.') }),
  spec('book_table', 'Books a table in a restaurant.', {
    restaurant: text('Its name.'),
    people: { type: 'integer' },
    date: { type: 'string', format: 'date' },
  }),
]

/** The toolboxes that sentences are tried with. */
export const toolboxes = {
  none: [],
  ...trades,
  ...counters,
  ...places,
  ...errands,
  files,
  mcp,
  office,
  web,
  shop,
  home,
  team,
  chinese,
  code,
  media,
  calculator: [spec('calculator', 'Evaluates an arithmetic expression.', { expression: text('Such as (1 + 2) * 3.') })],
  adder: [
    spec('add', 'Adds two numbers.', { a: { type: 'number' }, b: { type: 'number' } }),
    spec('multiply', 'Multiplies two numbers.', { a: { type: 'number' }, b: { type: 'number' } }),
  ],
  grep: [spec('grep', 'Searches files for a text.', { pattern: text('The text to find.'), path: text('Where to look.') }, ['pattern']), ...files],
} satisfies Record<string, readonly LanguageModelV4FunctionTool[]>

/** The name of a toolbox. */
export type ToolboxName = keyof typeof toolboxes
