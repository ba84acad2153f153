/** Sentences for tools of several trades. At first look 33 of 46 were understood. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, zh } from './offline-sentence.ts'

const travel: readonly OfflineSentence[] = [
  en(
    'travel',
    'Find flights from Berlin to Lisbon on 2026-06-01',
    calls(call('search_flights', { origin: 'Berlin', destination: 'Lisbon', date: '2026-06-01' })),
  ),
  en('travel', 'Book a hotel room in Prague for 3 nights', calls(call('book_hotel', { city: 'Prague', nights: 3 }))),
  en('travel', 'Please cancel my booking BK-77', calls(call('cancel_booking', { booking_id: 'BK-77' }))),
  en('travel', 'Show me the details of booking BK-12', calls(call('get_booking', { booking_id: 'BK-12' }))),
  en('travel', 'Cancel my booking', asks('booking_id')),
  en('travel', 'Rent a car in Prague', cannot),
  zh('travel', '查一下2026年6月1日从北京到上海的航班', calls(call('search_flights', { origin: '北京', destination: '上海', date: '2026-06-01' }))),
  zh('travel', '在杭州订酒店，住两晚', calls(call('book_hotel', { city: '杭州', nights: 2 }))),
  zh('travel', '取消预订 BK-77', calls(call('cancel_booking', { booking_id: 'BK-77' }))),
  zh('travel', '租一辆车', cannot),
]

const cluster: readonly OfflineSentence[] = [
  en('cluster', 'Restart the payments service', calls(call('restart_service', { service: 'payments' }))),
  en('cluster', 'Scale the deployment web to 5 replicas', calls(call('scale_deployment', { deployment: 'web', replicas: 5 }))),
  en('cluster', 'Show me the last 50 lines of the logs of the auth service', calls(call('get_logs', { service: 'auth', lines: 50 }))),
  en('cluster', 'List the pods in all namespaces', calls(call('list_pods', { all_namespaces: true }))),
  en('cluster', 'Restart the service', asks('service')),
  en('cluster', 'Delete the payments service', cannot),
  zh('cluster', '重启 payments 服务', calls(call('restart_service', { service: 'payments' }))),
  zh('cluster', '查看 auth 服务最近 50 行日志', calls(call('get_logs', { service: 'auth', lines: 50 }))),
  zh('cluster', '停止 payments 服务', cannot),
]

const social: readonly OfflineSentence[] = [
  en('social', 'Publish a post saying "We are live"', calls(call('publish_post', { text: 'We are live' }))),
  en('social', 'Follow the user ada', calls(call('follow_user', { username: 'ada' }))),
  en('social', 'How many followers does the user ada have?', calls(call('get_followers', { username: 'ada' }))),
  en('social', 'Delete post 991', calls(call('delete_post', { post_id: 991 }))),
  zh('social', '发布一条动态：“我们上线了”', calls(call('publish_post', { text: '我们上线了' }))),
  zh('social', '关注用户 ada', calls(call('follow_user', { username: 'ada' }))),
  zh('social', '给 ada 点赞', cannot),
]

const desk: readonly OfflineSentence[] = [
  en(
    'desk',
    'Open a ticket titled "Printer is on fire" with high priority',
    calls(call('create_ticket', { title: 'Printer is on fire', priority: 'high' })),
  ),
  en('desk', 'Close ticket 4711', calls(call('close_ticket', { ticket_id: 4711 }))),
  en('desk', 'Assign ticket 12 to Maria', calls(call('assign_ticket', { ticket_id: 12, assignee: 'Maria' }))),
  en('desk', 'Search the open tickets for printer', calls(call('search_tickets', { query: holding('printer'), status: 'open' }))),
  en('desk', 'Reopen ticket 12', cannot),
  zh('desk', '新建工单“打印机着火了”，优先级高', calls(call('create_ticket', { title: '打印机着火了', priority: 'high' }))),
  zh('desk', '关闭 4711 号工单', calls(call('close_ticket', { ticket_id: 4711 }))),
  zh('desk', '把工单 12 分配给小王', calls(call('assign_ticket', { ticket_id: 12, assignee: '小王' }))),
  zh('desk', '把工单 12 转成英文', cannot),
]

const house: readonly OfflineSentence[] = [
  en('house', 'Set an alarm for 7:30', calls(call('set_alarm', { time: '7:30' }))),
  en('house', 'Wake me up at 6 am', cannot),
  en('house', 'Set the temperature to 21 degrees', calls(call('set_temperature', { degrees: 21 }))),
  en('house', 'Lock the back door', calls(call('lock_door', { door: 'back' }))),
  en('house', 'Put 3 lemons on the shopping list', calls(call('add_to_shopping_list', { item: 'lemons', quantity: 3 }))),
  en('house', 'Water the plants for 10 minutes', calls(call('water_plants', { minutes: 10 }))),
  en('house', 'Unlock the back door', cannot),
  zh('house', '定一个早上七点半的闹钟', calls(call('set_alarm', { time: '07:30' }))),
  zh('house', '把温度调到21度', calls(call('set_temperature', { degrees: 21 }))),
  zh('house', '把牛奶加到购物清单', calls(call('add_to_shopping_list', { item: '牛奶' }))),
  zh('house', '打开后门', cannot),
]

/** All sentences of the trades. */
export const tradeSentences: readonly OfflineSentence[] = [...travel, ...cluster, ...social, ...desk, ...house]
