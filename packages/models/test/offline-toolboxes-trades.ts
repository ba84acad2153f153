/** Tools of several trades. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { spec, text } from './offline-tool.ts'

const travel = [
  spec('search_flights', 'Finds flights between two cities on a day.', {
    origin: text('City of departure.'),
    destination: text('City of arrival.'),
    date: { type: 'string', format: 'date' },
  }),
  spec('book_hotel', 'Books a hotel room.', { city: text('The city.'), nights: { type: 'integer' }, guests: { type: 'integer' } }, [
    'city',
    'nights',
  ]),
  spec('cancel_booking', 'Cancels a booking.', { booking_id: text('The id of the booking.') }),
  spec('get_booking', 'Returns the details of a booking.', { booking_id: text('The id of the booking.') }),
]

const cluster = [
  spec('restart_service', 'Restarts a service.', { service: text('The name of the service.') }),
  spec('scale_deployment', 'Sets the number of replicas of a deployment.', { deployment: text('Its name.'), replicas: { type: 'integer' } }),
  spec('get_logs', 'Returns the logs of a service.', { service: text('The name of the service.'), lines: { type: 'integer' } }, ['service']),
  spec('list_pods', 'Lists pods.', { namespace: text('The namespace.'), all_namespaces: { type: 'boolean' } }, []),
]

const social = [
  spec('publish_post', 'Publishes a post.', { text: text('The text of the post.'), public: { type: 'boolean' } }, ['text']),
  spec('follow_user', 'Follows a user.', { username: text('The name of the user.') }),
  spec('get_followers', 'Counts the followers of a user.', { username: text('The name of the user.') }),
  spec('delete_post', 'Deletes a post.', { post_id: { type: 'integer' } }),
]

const desk = [
  spec('create_ticket', 'Creates a support ticket.', { title: text('One line.'), priority: { enum: ['low', 'normal', 'high'] } }, ['title']),
  spec('close_ticket', 'Closes a ticket.', { ticket_id: { type: 'integer', description: 'The number of the ticket.' } }),
  spec('assign_ticket', 'Assigns a ticket to somebody.', { ticket_id: { type: 'integer' }, assignee: text('Who is to do it.') }),
  spec('search_tickets', 'Searches the tickets.', { query: text('What to look for.'), status: { enum: ['open', 'closed'] } }, ['query']),
]

const house = [
  spec('set_alarm', 'Sets an alarm.', { time: text('The time as HH:MM.'), label: text('What it is for.') }, ['time']),
  spec('set_temperature', 'Sets the temperature of the heating.', { degrees: { type: 'number' } }),
  spec('lock_door', 'Locks a door.', { door: { enum: ['front', 'back', 'garage'] } }),
  spec('water_plants', 'Waters the plants.', { minutes: { type: 'integer' } }),
  spec('add_to_shopping_list', 'Adds an item to the shopping list.', { item: text('What to buy.'), quantity: { type: 'integer' } }, ['item']),
]

/** Toolboxes of trades. */
export const trades = { travel, cluster, social, desk, house } satisfies Record<string, readonly LanguageModelV4FunctionTool[]>
