/** Sentences for a school, a warehouse and a kitchen, written after the counters were mended. At first look 18 of 24 were understood and 6 refused. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  en('school', 'Show me the grades of Tom Becker', calls(call('get_grades', { student: 'Tom Becker' }))),
  en('school', 'Schedule an exam for the biology course on 12 June 2026', calls(call('schedule_exam', { course: 'biology', date: '2026-06-12' }))),
  en(
    'school',
    'Send an announcement saying that school is closed on Friday',
    calls(call('send_announcement', { message: holding('school is closed on Friday') })),
  ),
  en('school', 'Expel Tom Becker', cannot),
  en('warehouse', 'How many pieces of article X-100 do we have in stock?', calls(call('check_stock', { sku: 'X-100' }))),
  en('warehouse', 'Create an express shipment for order 7001', calls(call('create_shipment', { order_id: '7001', express: true }))),
  en('warehouse', 'Where is shipment S-45?', calls(call('track_shipment', { shipment_id: 'S-45' }))),
  en('warehouse', 'Track my shipment', asks('shipment_id')),
  en('kitchen', 'Preheat the oven to 180 degrees, please', calls(call('preheat_oven', { degrees: 180 }))),
  en('kitchen', 'Find me a recipe with chickpeas and spinach', calls(call('find_recipe', { query: holding('chickpeas', 'spinach') }))),
  en('kitchen', 'Could you start the dishwasher on eco?', calls(call('start_dishwasher', { program: 'eco' }))),
  en('kitchen', 'Wash the dishes by hand', cannot),
]

const chinese: readonly OfflineSentence[] = [
  zh('school', '查一下王小明的成绩', calls(call('get_grades', { student: '王小明' }))),
  zh('school', '给生物课程安排2026年6月12日的考试', calls(call('schedule_exam', { course: holding('生物'), date: '2026-06-12' }))),
  zh('school', '发一个通知：周五停课', calls(call('send_announcement', { message: '周五停课' }))),
  zh('school', '开除王小明', cannot),
  zh('warehouse', 'X-100 还有多少库存？', calls(call('check_stock', { sku: 'X-100' }))),
  zh('warehouse', '为订单 7001 创建发货单', calls(call('create_shipment', { order_id: '7001' }))),
  zh('warehouse', '跟踪一下货运 S-45', calls(call('track_shipment', { shipment_id: 'S-45' }))),
  zh('warehouse', '清空仓库', cannot),
  zh('kitchen', '把烤箱预热到180度', calls(call('preheat_oven', { degrees: 180 }))),
  zh('kitchen', '找几个用鸡胸肉做的菜谱，最多三个', calls(call('find_recipe', { query: holding('鸡胸肉'), max_results: 3 }))),
  zh('kitchen', '用 eco 模式启动洗碗机', calls(call('start_dishwasher', { program: 'eco' }))),
  zh('kitchen', '帮我洗碗', cannot),
]

/** The sentences of the places. */
export const placeSentences: readonly OfflineSentence[] = [...english, ...chinese]
