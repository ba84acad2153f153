/** Tools for errands: a gym, a courier and a radio. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { spec, text } from './offline-tool.ts'

const gym = [
  spec('book_class', 'Books a class at the gym.', { class_name: text('The name of the class.'), date: { type: 'string', format: 'date' } }),
  spec('log_workout', 'Records a workout.', { activity: text('Such as running.'), minutes: { type: 'integer' } }),
  spec('get_membership', 'Returns the membership of a member.', { member_id: text('The number of the member.') }),
]

const courier = [
  spec('send_parcel', 'Sends a parcel to an address.', { address: text('Where it goes.'), weight: { type: 'number', description: 'In kilograms.' } }),
  spec('track_parcel', 'Shows where a parcel is.', { parcel_id: text('The number of the parcel.') }),
  spec('cancel_pickup', 'Cancels a pickup.', { pickup_id: text('The number of the pickup.') }),
]

const radio = [
  spec('tune_station', 'Tunes the radio to a station.', { frequency: { type: 'number' } }),
  spec('mute', 'Mutes the radio.', {}),
  spec('list_stations', 'Lists the stations.', { country: text('The country.'), limit: { type: 'integer' } }, []),
]

/** Toolboxes for errands. */
export const errands = { gym, courier, radio } satisfies Record<string, readonly LanguageModelV4FunctionTool[]>
