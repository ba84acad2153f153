/** Tools behind counters: of a library, a bank, a hospital, a sales office, a database and a repository. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { spec, text } from './offline-tool.ts'

const library = [
  spec('search_catalog', 'Searches the catalogue of the library.', { query: text('Words of the title or the author.'), limit: { type: 'integer' } }, [
    'query',
  ]),
  spec('borrow_book', 'Lends a book to a member.', { title: text('The title of the book.'), member_id: text('The card number of the member.') }),
  spec('return_book', 'Takes a book back.', { title: text('The title of the book.') }),
  spec('renew_loan', 'Extends a loan.', { loan_id: text('The number of the loan.'), weeks: { type: 'integer' } }),
]

const bank = [
  spec('get_balance', 'Returns the balance of an account.', { account: text('The account number.') }),
  spec('transfer_money', 'Transfers money between accounts.', {
    from_account: text('The account that pays.'),
    to_account: text('The account that receives.'),
    amount: { type: 'number' },
  }),
  spec('list_transactions', 'Lists the latest transactions of an account.', { account: text('The account number.'), limit: { type: 'integer' } }, [
    'account',
  ]),
  spec('block_card', 'Blocks a card.', { card_number: text('The number of the card.') }),
]

const hospital = [
  spec(
    'book_appointment',
    'Books an appointment with a doctor.',
    { doctor: text('The name of the doctor.'), date: { type: 'string', format: 'date' }, time: text('HH:MM') },
    ['doctor', 'date'],
  ),
  spec('get_patient', 'Looks up a patient.', { patient_id: text('The number of the patient.') }),
  spec('list_free_beds', 'Lists the free beds of a ward.', { ward: text('The ward.') }),
  spec('add_allergy', 'Adds an allergy to the record of a patient.', {
    patient_id: text('The number of the patient.'),
    substance: text('What the patient must not get.'),
  }),
]

const sales = [
  spec('find_customer', 'Finds a customer by name.', { name: text('The name.') }),
  spec('update_deal', 'Changes the stage of a deal.', { deal_id: { type: 'integer' }, stage: { enum: ['new', 'negotiation', 'won', 'lost'] } }),
  spec('log_call', 'Logs a call with a customer.', { customer: text('The name of the customer.'), notes: text('What was said.') }),
  spec(
    'create_invoice',
    'Creates an invoice for a customer.',
    { customer: text('The name of the customer.'), amount: { type: 'number' }, currency: { enum: ['EUR', 'USD', 'CNY'] } },
    ['customer', 'amount'],
  ),
]

const database = [
  spec('run_query', 'Runs an SQL query.', { sql: text('The SQL text.') }),
  spec('list_tables', 'Lists the tables of the database.', {}),
  spec('describe_table', 'Shows the columns of a table.', { table: text('The name of the table.') }),
  spec('drop_table', 'Drops a table.', { table: text('The name of the table.') }),
]

const git = [
  spec('git_commit', 'Commits the staged changes.', { message: text('The commit message.') }),
  spec('create_branch', 'Creates a branch.', { branch: text('The name of the branch.') }),
  spec('merge_branch', 'Merges one branch into another.', { source: text('The branch to merge.'), target: text('The branch to merge into.') }),
  spec('git_log', 'Shows the latest commits.', { max_count: { type: 'integer' } }, []),
  spec('git_status', 'Shows the state of the working tree.', {}),
]

/** Toolboxes behind counters. */
export const counters = { library, bank, hospital, sales, database, git } satisfies Record<string, readonly LanguageModelV4FunctionTool[]>
