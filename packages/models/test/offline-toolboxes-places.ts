/** Tools of three places: a school, a warehouse and a kitchen. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { spec, text } from './offline-tool.ts'

const school = [
  spec('enroll_student', 'Enrolls a student in a course.', { student: text('The name of the student.'), course: text('The name of the course.') }),
  spec('get_grades', 'Returns the grades of a student.', { student: text('The name of the student.') }),
  spec('schedule_exam', 'Schedules an exam.', { course: text('The course.'), date: { type: 'string', format: 'date' } }),
  spec('send_announcement', 'Sends an announcement to all students.', { message: text('The announcement.') }),
]

const warehouse = [
  spec('check_stock', 'Returns how many pieces of an article are in stock.', { sku: text('The article number.') }),
  spec('move_stock', 'Moves pieces from one shelf to another.', {
    sku: text('The article number.'),
    quantity: { type: 'integer' },
    from_shelf: text('The shelf.'),
    to_shelf: text('The shelf.'),
  }),
  spec('create_shipment', 'Creates a shipment for an order.', { order_id: text('The number of the order.'), express: { type: 'boolean' } }, [
    'order_id',
  ]),
  spec('track_shipment', 'Tracks a shipment.', { shipment_id: text('The number of the shipment.') }),
]

const kitchen = [
  spec('find_recipe', 'Finds recipes.', { query: text('Ingredients or the name of a dish.'), max_results: { type: 'integer' } }, ['query']),
  spec('preheat_oven', 'Preheats the oven.', { degrees: { type: 'integer' } }),
  spec('start_dishwasher', 'Starts the dishwasher.', { program: { enum: ['eco', 'quick', 'intensive'] } }),
  spec('order_groceries', 'Orders groceries.', { items: { type: 'array', items: { type: 'string' } } }),
]

/** Toolboxes of places. */
export const places = { school, warehouse, kitchen } satisfies Record<string, readonly LanguageModelV4FunctionTool[]>
