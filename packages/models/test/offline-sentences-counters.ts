/** Sentences for tools that no rule had seen. At first look 21 of 40 were understood and 19 refused; none did anything else than was asked. */
import { asks, call, calls, cannot, en, holding, type OfflineSentence, zh } from './offline-sentence.ts'

const english: readonly OfflineSentence[] = [
  en('library', 'Search the catalog for books by Ursula Le Guin', calls(call('search_catalog', { query: holding('Ursula Le Guin') }))),
  en('library', 'I want to borrow "Dune" with card M-204', calls(call('borrow_book', { title: 'Dune', member_id: 'M-204' }))),
  en('library', 'I am bringing "Emma" back', cannot),
  en('library', 'Renew loan 8812 for 2 weeks', calls(call('renew_loan', { loan_id: '8812', weeks: 2 }))),
  en('bank', 'How much money is left on account 4471?', calls(call('get_balance', { account: '4471' }))),
  en(
    'bank',
    'Transfer 250 euros from account 4471 to account 9020',
    calls(call('transfer_money', { from_account: '4471', to_account: '9020', amount: 250 })),
  ),
  en('bank', 'Show me the last 10 transactions of account 4471', calls(call('list_transactions', { account: '4471', limit: 10 }))),
  en('bank', 'Block my card', asks('card_number')),
  en('bank', 'Open a savings account for my daughter', cannot),
  en(
    'hospital',
    'Book an appointment with Dr. Novak on 2026-11-03 at 14:30',
    calls(call('book_appointment', { doctor: holding('Novak'), date: '2026-11-03', time: '14:30' })),
  ),
  en('hospital', 'Look up patient P-3301', calls(call('get_patient', { patient_id: 'P-3301' }))),
  en('hospital', 'Discharge patient P-3301', cannot),
  en('sales', 'Mark deal 77 as won', calls(call('update_deal', { deal_id: 77, stage: 'won' }))),
  en('sales', 'Find the customer Brightwater', calls(call('find_customer', { name: 'Brightwater' }))),
  en(
    'sales',
    'Create an invoice of 1200 dollars for Brightwater',
    calls(call('create_invoice', { customer: 'Brightwater', amount: 1200, currency: 'USD' })),
  ),
  en('database', 'Which tables are in the database?', calls(call('list_tables', {}))),
  en('database', 'Describe the table customers', calls(call('describe_table', { table: 'customers' }))),
  en('database', 'Run the query "select count(*) from orders"', calls(call('run_query', { sql: 'select count(*) from orders' }))),
  en('git', 'Commit the changes with the message "Fix the login"', calls(call('git_commit', { message: 'Fix the login' }))),
  en(
    'git',
    'Create a branch called hotfix and show me the last 5 commits',
    calls(call('create_branch', { branch: 'hotfix' }), call('git_log', { max_count: 5 })),
  ),
]

const chinese: readonly OfflineSentence[] = [
  zh('library', '在馆藏目录里找一下余华的书', calls(call('search_catalog', { query: holding('余华') }))),
  zh('library', '用会员卡 M-204 借《三体》', calls(call('borrow_book', { title: '三体', member_id: 'M-204' }))),
  zh('library', '我要还《活着》这本书', calls(call('return_book', { title: '活着' }))),
  zh('library', '把借阅 8812 续借两周', calls(call('renew_loan', { loan_id: '8812', weeks: 2 }))),
  zh('bank', '查一下账户 4471 的余额', calls(call('get_balance', { account: '4471' }))),
  zh('bank', '从账户 4471 转 500 元到账户 9020', calls(call('transfer_money', { from_account: '4471', to_account: '9020', amount: 500 }))),
  zh('bank', '列出账户 4471 最近 10 笔交易', calls(call('list_transactions', { account: '4471', limit: 10 }))),
  zh('bank', '帮我冻结银行卡', asks('card_number')),
  zh('bank', '我想申请一笔贷款', cannot),
  zh(
    'hospital',
    '预约 2026年11月3日下午两点半的王医生',
    calls(call('book_appointment', { doctor: holding('王'), date: '2026-11-03', time: '14:30' })),
  ),
  zh('hospital', '查询患者 P-3301 的资料', calls(call('get_patient', { patient_id: 'P-3301' }))),
  zh('hospital', '给患者 P-3301 办理出院', cannot),
  zh('sales', '把 77 号商机标记为 won', calls(call('update_deal', { deal_id: 77, stage: 'won' }))),
  zh('sales', '查找客户“明远科技”', calls(call('find_customer', { name: '明远科技' }))),
  zh('sales', '给明远科技开一张 1200 美元的发票', calls(call('create_invoice', { customer: '明远科技', amount: 1200, currency: 'USD' }))),
  zh('database', '数据库里有哪些表？', calls(call('list_tables', {}))),
  zh('database', '看一下 customers 表有哪些字段', calls(call('describe_table', { table: 'customers' }))),
  zh('database', '把 customers 表备份一下', cannot),
  zh('git', '提交更改，说明是“修复登录”', calls(call('git_commit', { message: '修复登录' }))),
  zh('git', '新建一个叫 hotfix 的分支，然后查看最近 5 次提交', calls(call('create_branch', { branch: 'hotfix' }), call('git_log', { max_count: 5 }))),
]

/** The sentences for tools behind counters. */
export const counterSentences: readonly OfflineSentence[] = [...english, ...chinese]
