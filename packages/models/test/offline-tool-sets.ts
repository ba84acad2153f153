/** Six tool sets that the offline model knows nothing of. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'

type Schema = LanguageModelV4FunctionTool['inputSchema']
type Fields = Readonly<Record<string, Schema>>

const text: Schema = { type: 'string' }
const number: Schema = { type: 'number' }
const whole: Schema = { type: 'integer', minimum: 1 }
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: [...values] })

/** A tool; arguments whose name ends with ? are optional. */
function tool(name: string, description: string, fields: Fields): LanguageModelV4FunctionTool {
  const properties = Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key.replace('?', ''), schema]))
  const required = Object.keys(fields).filter((key) => !key.endsWith('?'))
  return { type: 'function', name, description, inputSchema: { type: 'object', properties, required, additionalProperties: false } }
}

const date: Schema = { type: 'string', format: 'date' }

/** The tools by the name of their set. */
export const toolSets = {
  weather: [
    tool('get_weather', 'Gets the current weather in a city.', { city: text, 'unit?': oneOf('celsius', 'fahrenheit') }),
    tool('get_forecast', 'Gets the forecast for a city.', { city: text, days: whole }),
    tool('set_alert', 'Sets a storm alert for a city.', { city: text, severity: oneOf('low', 'high') }),
  ],
  bank: [
    tool('transfer_money', 'Transfers money between two accounts.', {
      amount: { ...number, description: 'The amount in euros.' },
      from_account: text,
      to_account: text,
    }),
    tool('get_balance', 'Returns the balance of an account.', { account: text }),
    tool('freeze_card', 'Freezes a card.', { card_number: text }),
    tool('list_transactions', 'Lists the transactions of an account.', { account: text, 'limit?': whole }),
  ],
  hospital: [
    tool('book_appointment', 'Books an appointment for a patient.', { patient: text, doctor: text, date }),
    tool('cancel_appointment', 'Cancels an appointment.', { appointment_id: whole }),
    tool('discharge_patient', 'Discharges a patient.', { patient_id: text }),
    tool('find_patient', 'Finds a patient by name.', { name: text }),
  ],
  files: [
    tool('read_file', 'Reads a text file.', { path: text }),
    tool('write_file', 'Writes a text to a file.', { path: text, content: text }),
    tool('delete_file', 'Deletes a file.', { path: text }),
    tool('list_files', 'Lists the files in a folder.', { 'folder?': text, 'recursive?': { type: 'boolean' } }),
  ],
  todo: [
    tool('add_todo', 'Adds a todo.', { title: text, 'priority?': oneOf('low', 'medium', 'high'), 'due?': date }),
    tool('complete_todo', 'Marks a todo as done.', { id: whole }),
    tool('delete_todo', 'Deletes a todo.', { id: whole }),
    tool('list_todos', 'Lists the todos.', { 'status?': oneOf('open', 'done') }),
  ],
  calendar: [
    tool('create_event', 'Creates an event.', { title: text, date, time: { type: 'string', pattern: '^\\d{2}:\\d{2}$' }, 'room?': text }),
    tool('delete_event', 'Deletes an event.', { event_id: text }),
    tool('invite_guest', 'Invites a guest to an event.', { event_id: text, email: { type: 'string', format: 'email' } }),
    tool('show_agenda', 'Shows the agenda of a day.', { date }),
  ],
} satisfies Readonly<Record<string, readonly LanguageModelV4FunctionTool[]>>
