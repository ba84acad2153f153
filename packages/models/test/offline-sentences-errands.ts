/** Sentences for errands, written last. At first look 10 of 20 were understood, 9 refused, and one looking call left out a name. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  en('gym', 'Book the yoga class on 2026-02-10', calls(call('book_class', { class_name: 'yoga', date: '2026-02-10' }))),
  en('gym', 'Record a workout: swimming, 45 minutes', calls(call('log_workout', { activity: 'swimming', minutes: 45 }))),
  en('gym', 'Show the membership of member 5010', calls(call('get_membership', { member_id: '5010' }))),
  en('gym', 'Freeze my membership', cannot),
  en('courier', 'Where is my parcel PX-9001?', calls(call('track_parcel', { parcel_id: 'PX-9001' }))),
  en('courier', 'Send a 2.5 kg parcel to "12 Elm Street, Leeds"', calls(call('send_parcel', { address: '12 Elm Street, Leeds', weight: 2.5 }))),
  en('courier', 'Please cancel pickup 331', calls(call('cancel_pickup', { pickup_id: '331' }))),
  en('radio', 'Tune to 98.5', calls(call('tune_station', { frequency: 98.5 }))),
  en('radio', 'Mute the radio', calls(call('mute', {}))),
  en('radio', 'List the first 5 stations in France', calls(call('list_stations', { country: 'France', limit: 5 }))),
]

const chinese: readonly OfflineSentence[] = [
  zh('gym', '预约2026年2月10日的瑜伽课', calls(call('book_class', { class_name: holding('瑜伽'), date: '2026-02-10' }))),
  zh('gym', '记录一次健身：游泳，45分钟', calls(call('log_workout', { activity: '游泳', minutes: 45 }))),
  zh('gym', '查询会员 5010 的会籍', calls(call('get_membership', { member_id: '5010' }))),
  zh('gym', '把会员卡退了', cannot),
  zh('courier', '我的包裹 PX-9001 到哪里了？', calls(call('track_parcel', { parcel_id: 'PX-9001' }))),
  zh('courier', '取消取件 331', calls(call('cancel_pickup', { pickup_id: '331' }))),
  zh('courier', '帮我查一下快递', asks('parcel_id')),
  zh('radio', '把收音机调到 98.5', calls(call('tune_station', { frequency: 98.5 }))),
  zh('radio', '列出前 5 个电台', calls(call('list_stations', { limit: 5 }))),
  zh('radio', '把收音机关机', cannot),
]

/** The sentences for errands. */
export const errandSentences: readonly OfflineSentence[] = [...english, ...chinese]
