/** Sentences over the tool sets, each with the call that is right; without one, only a refusal is right. */
import type { toolSets } from './offline-tool-sets.ts'

/** A sentence, and the one call that it asks for. */
export type Sentence = readonly [set: keyof typeof toolSets, sentence: string, tool?: string, input?: object]

/** Ten for each set. */
export const sentences: readonly Sentence[] = [
  ['weather', "What's the weather in Paris?", 'get_weather', { city: 'Paris' }],
  ['weather', 'Get the weather for New York in fahrenheit', 'get_weather', { city: 'New York', unit: 'fahrenheit' }],
  ['weather', 'Show me the forecast for Oslo for 5 days', 'get_forecast', { city: 'Oslo', days: 5 }],
  ['weather', 'get_weather {"city": "Kyoto", "unit": "celsius"}', 'get_weather', { city: 'Kyoto', unit: 'celsius' }],
  ['weather', 'Set a high alert for Miami', 'set_alert', { city: 'Miami', severity: 'high' }],
  ['weather', '查询北京的天气', 'get_weather', { city: '北京' }],
  ['weather', 'What will the weather be in Paris tomorrow?'],
  ['weather', 'Get the forecast for Rome'],
  ['weather', 'Should I set an alert for Miami?'],
  ['weather', 'Compare the weather in Paris and London'],

  ['bank', 'Transfer 50 euros from account A-1 to account B-2', 'transfer_money', { amount: 50, from_account: 'A-1', to_account: 'B-2' }],
  [
    'bank',
    'Please transfer money: amount=20, from_account=X1, to_account=X2',
    'transfer_money',
    { amount: 20, from_account: 'X1', to_account: 'X2' },
  ],
  ['bank', 'What is the balance of account A-1?', 'get_balance', { account: 'A-1' }],
  ['bank', 'List transactions for account B-2 with limit 10', 'list_transactions', { account: 'B-2', limit: 10 }],
  ['bank', 'Freeze card 4411', 'freeze_card', { card_number: '4411' }],
  ['bank', 'Could you freeze the card number 9900?', 'freeze_card', { card_number: '9900' }],
  ['bank', 'Transfer 50 dollars from A-1 to B-2'],
  ['bank', 'Transfer 100 to B-2'],
  ['bank', "Don't freeze card 4411"],
  ['bank', 'Did I transfer 50 from A-1 to B-2?'],

  [
    'hospital',
    'Book an appointment for Alice with Dr. Smith on 2026-12-01',
    'book_appointment',
    { patient: 'Alice', doctor: 'Dr. Smith', date: '2026-12-01' },
  ],
  ['hospital', 'Cancel appointment 17', 'cancel_appointment', { appointment_id: 17 }],
  ['hospital', 'I want to cancel appointment number 8', 'cancel_appointment', { appointment_id: 8 }],
  ['hospital', 'Discharge patient P-204', 'discharge_patient', { patient_id: 'P-204' }],
  ['hospital', 'Find the patient named Maria Lopez', 'find_patient', { name: 'Maria Lopez' }],
  ['hospital', '取消预约 12', 'cancel_appointment', { appointment_id: 12 }],
  ['hospital', 'Book an appointment for Alice with Dr. Smith on Friday'],
  ['hospital', 'Cancel 3 appointments'],
  ['hospital', 'Discharge all patients except P-204'],
  ['hospital', 'The doctor told me to discharge patient P-204 if she feels better'],

  ['files', 'Read notes.txt', 'read_file', { path: 'notes.txt' }],
  ['files', 'Write "hello world" to out/greeting.md', 'write_file', { path: 'out/greeting.md', content: 'hello world' }],
  ['files', 'please delete the file old/draft.txt', 'delete_file', { path: 'old/draft.txt' }],
  ['files', 'List the files in folder src', 'list_files', { folder: 'src' }],
  ['files', 'List all files', 'list_files', {}],
  ['files', '读取文件 README.md', 'read_file', { path: 'README.md' }],
  ['files', 'Write a haiku to poem.txt'],
  ['files', 'Delete a.txt and b.txt'],
  ['files', 'Delete everything in /tmp except logs'],
  ['files', 'How do I delete a.txt?'],

  ['todo', 'Add a todo buy milk', 'add_todo', { title: 'buy milk' }],
  ['todo', 'Add todo: call the dentist, priority: high', 'add_todo', { title: 'call the dentist', priority: 'high' }],
  ['todo', 'add a todo "pay low fat tax" with high priority', 'add_todo', { title: 'pay low fat tax', priority: 'high' }],
  ['todo', 'Mark todo 3 as done', 'complete_todo', { id: 3 }],
  ['todo', 'Show my open todos', 'list_todos', { status: 'open' }],
  ['todo', '添加待办 给妈妈打电话', 'add_todo', { title: '给妈妈打电话' }],
  ['todo', 'Add a todo buy milk tomorrow'],
  ['todo', 'Delete the last 3 todos'],
  ['todo', 'Delete it'],
  ['todo', 'Complete todo 3 or 4'],

  ['calendar', 'Create an event "Team lunch" on 2026-11-20 at 12:30', 'create_event', { title: 'Team lunch', date: '2026-11-20', time: '12:30' }],
  [
    'calendar',
    'Create event titled Standup on 2026-11-21 at 09:00 in room Blue',
    'create_event',
    { title: 'Standup', date: '2026-11-21', time: '09:00', room: 'Blue' },
  ],
  ['calendar', 'Delete event E42', 'delete_event', { event_id: 'E42' }],
  ['calendar', 'Invite the guest ada@example.com to event E42', 'invite_guest', { event_id: 'E42', email: 'ada@example.com' }],
  ['calendar', 'Show the agenda for 2026-11-20', 'show_agenda', { date: '2026-11-20' }],
  ['calendar', 'What is on my agenda on 2026-11-20?', 'show_agenda', { date: '2026-11-20' }],
  ['calendar', 'Create an event "Team lunch" tomorrow at noon'],
  ['calendar', 'Create an event "Team lunch" on 2026-11-20'],
  ['calendar', 'Move event E42 to 2026-11-22'],
  ['calendar', 'Never delete event E42'],
]
