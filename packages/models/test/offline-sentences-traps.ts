/** Sentences that look like orders for tools of trades and counters, and are none, or lack something. */
import { asks, call, calls, cannot, en, type OfflineSentence, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  en('chinese', "Don't tell Bob that lunch is ready", cannot),
  en('chinese', 'Let Bob know if lunch is ready', cannot),
  en('bank', 'Transfer 250 to account 9020', asks('from_account')),
  en('bank', 'Transfer money from account 4471 to account 9020', asks('amount')),
  en(
    'bank',
    'Transfer 80 to account 9020 from account 4471',
    calls(call('transfer_money', { from_account: '4471', to_account: '9020', amount: 80 })),
  ),
  en('travel', 'Should I cancel booking BK-1?', cannot),
  en('travel', 'Find flights to Lisbon on 2026-06-01', asks('origin')),
  en('house', 'Is the back door locked?', cannot),
  en('house', 'Lock the back door at midnight if I am asleep', cannot),
  en('cluster', 'Restart all services except auth', cannot),
  en('social', 'Unfollow the user ada', cannot),
  en('database', 'Drop the table customers if it is empty', cannot),
  en('database', 'Why was the table customers dropped?', cannot),
  en('git', 'Merge hotfix into main', calls(call('merge_branch', { source: 'hotfix', target: 'main' }))),
  en('git', 'Has hotfix been merged into main?', cannot),
  en('sales', 'I lost deal 77', cannot),
  en('hospital', 'Patient P-3301 has an allergy', cannot),
  en('warehouse', 'Create a shipment for order 7001 without express', cannot),
  en('kitchen', 'The oven is at 180 degrees', cannot),
  en('shop', 'I do not want a refund for order A-9', cannot),
]

const chinese: readonly OfflineSentence[] = [
  zh('house', '别锁后门', cannot),
  zh('house', '后门锁了吗？', cannot),
  zh('house', '温度是21度', cannot),
  zh('bank', '如果余额够，就从账户 4471 转 500 元到账户 9020', cannot),
  zh('bank', '从账户 4471 转账到账户 9020', asks('amount')),
  zh('bank', '账户 4471 昨天转了 500 元给账户 9020', cannot),
  zh('cluster', '不要重启 payments 服务', cannot),
  zh('cluster', '重启除了 auth 以外的服务', cannot),
  zh('git', '把 hotfix 合并到 main', calls(call('merge_branch', { source: 'hotfix', target: 'main' }))),
  zh('git', '要不要把 hotfix 合并到 main？', cannot),
  zh('database', '该不该删除 customers 表', cannot),
  zh('travel', '我昨天取消了预订 BK-77', cannot),
  zh('library', '《三体》被借走了吗？', cannot),
  zh('sales', '77 号商机已经丢了', cannot),
  zh('kitchen', '烤箱怎么预热？', cannot),
  zh('warehouse', '先别给订单 7001 创建发货单', cannot),
]

/** All traps. */
export const trapSentences: readonly OfflineSentence[] = [...english, ...chinese]
