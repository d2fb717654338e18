/** The routes of events: publishing an event, and the types to which clients can subscribe. */
import { Type } from 'typebox'
import type { EventTypes } from '../../core/events/event-type.ts'
import { publishApplicationEvent } from '../../core/events/publish.ts'
import { DescribedEventType, EventInput, PublishedEvent } from '../../core/events/schema.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { translated } from '../../core/language/languages.ts'
import { LanguageQuery, languageAskedFor, replyIn } from '../http/reply/language.ts'
import { reportUnknownNames } from '../http/request/unknown-name.ts'
import { exampleOf } from '../openapi/example.ts'
import { SchemaComponents } from '../openapi/schema.ts'

export const eventRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/events',
    summary: 'Publish an event',
    name: 'publishEvent',
    description:
      'The event is delivered to the matching subscriptions of the tenant. Types of the catalogue, which stand for ' +
      'changes, require an administrator and a payload that matches their schema.',
    tag: 'Events',
    access: 'event:publish',
    body: EventInput,
    status: 202,
    reply: PublishedEvent,
    idempotent: true,
    headers: ['unknown-names'],
    handle: async (context, { body, strict }) => {
      const { declared } = context.shared.eventTypes
      const unknown = reportUnknownNames(context, [['/type', body.type]], { declared, strict })
      return new Reply(await publishApplicationEvent(context, body), unknown)
    },
  }),
  route({
    method: 'GET',
    path: '/api/webhooks/event-types',
    summary: 'List the types of events',
    name: 'listEventTypes',
    description: 'The catalogue of events, each with the JSON Schema of its data and an example.',
    tag: 'Events',
    access: 'event:read',
    inPortal: true, // sessions of the webhook portal may call it
    database: 'catalogue',
    query: LanguageQuery,
    byLanguage: true,
    reply: Type.Array(DescribedEventType),
    bounded: 'Features declare a fixed number of types.',
    handle: async ({ shared }, input) => {
      const language = languageAskedFor(input, shared.languages)
      return replyIn(language, describedTypes(shared.eventTypes, language))
    },
  }),
]

function describedTypes(types: EventTypes, language: string): DescribedEventType[] {
  return types.list().map(([type, { summary, labels, payload, rows }]) => ({
    type,
    summary: translated(language, 'events', { name: type, text: summary, labels }),
    access: types.leastAccessOf(type),
    ...(rows !== undefined && { isByRow: true }), // row rules decide who receives the event
    schema: new SchemaComponents().describe(payload),
    example: exampleOf(payload) as object, // a payload is an object
  }))
}
