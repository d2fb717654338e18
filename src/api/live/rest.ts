/** `POST /api/live`: one stream with the changes of all lists of a page. */
import { Type } from 'typebox'
import { credentialsOf } from '../../core/authenticator.ts'
import { JsonText, Reply, type Route, route } from '../../core/feature/route.ts'
import { PeriodicCheck } from '../../core/periodic-check.ts'
import type { SessionMonitor } from '../graphql/transport/session-monitor.ts'
import { defaultQuietMs, ListStream, TokenEnded } from './list-stream.ts'
import type { LiveLists } from './live-lists.ts'
import { LiveRequest, maxLists } from './schema.ts'

export interface LiveParts {
  lists: LiveLists
  sessionMonitor: SessionMonitor
  /** Counts open event streams. */
  eventStreams: { open: number }
  quietMs?: number | undefined
}

const type = 'text/event-stream'
/** The interval in which streams without changes are checked for a cursor to send. */
const checkIntervalMs = 500

export function liveRoutes({
  lists,
  sessionMonitor,
  eventStreams,
  quietMs = defaultQuietMs,
}: LiveParts): Route[] {
  const checks = new PeriodicCheck(Math.min(checkIntervalMs, quietMs))
  return [
    route({
      method: 'POST',
      path: '/api/live',
      name: 'followLists',
      tag: 'Live lists',
      access: 'user',
      impersonation: 'allowed',
      summary: 'Follow lists',
      description:
        `Sends the changes of up to ${maxLists} lists of entities that are \`live\`, as server-sent events: ` +
        '`ready` with the lists that are followed and those that are refused, `change` for a row that enters a list, changes in it, ' +
        'leaves it or is deleted, `event`, `cursor` while nothing happens, `reset` for lists that have to be read again, ' +
        'and `end`. Whoever sends the `id` of the last event as `after` continues where the stream ended, on any instance.',
      body: LiveRequest,
      otherTypes: [
        {
          status: 200,
          type,
          schema: Type.String({ description: 'Events, each with one line of JSON' }),
          example: 'event: ready\nid: mb3.x.MQ\ndata: {"list":["products"],"refused":{}}\n\n',
        },
      ],
      errors: ['tooManyRequests', 'invalid', 'forbidden', 'notFound'],
      handle: async (context, { body, headers }) => {
        const { following, begins } = await lists.follow(context, body)
        const { stream } = following
        const credentials = credentialsOf({ headers, ip: context.clientAddress ?? '' })
        const leave = () => stream.fail(new TokenEnded())
        const events = new ListStream(following, begins, quietMs)
        const endSession = sessionMonitor.watch({ credentials, tenantId: context.tenant.id, leave })
        const endChecks = checks.watch(events)
        eventStreams.open++
        stream.onEnd(() => {
          eventStreams.open--
          endSession()
          endChecks()
        })
        return new Reply(new JsonText(events, type), {
          'x-accel-buffering': 'no',
          'cache-control': 'no-store',
        })
      },
    }),
  ]
}
