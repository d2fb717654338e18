/** The routes of work that failed for good in all tenants: a list, and a request that retries much of it. */
import { type TObject, type TSchema, Type } from 'typebox'
import { listRoute } from '../../api/http/reply/list-route.ts'
import type { Context } from '../../core/context.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { pageOf } from '../../core/page.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { DeadGroups } from './groups.ts'
import { type DeadJobParts, deadJobs, retryDeadJobs } from './jobs.ts'
import { type DeadLetterParts, deadLetters, replayDeadLetters } from './letters.ts'
import { deadMails, retryAllDeadMails } from './mails.ts'
import type { Retried, RetryRequest } from './retry-run.ts'
import {
  DeadJobRetry,
  DeadJobsOfName,
  DeadLetterReplay,
  DeadLettersOfSubscription,
  DeadMailRetry,
  DeadMailsOfTemplate,
  JobReport,
  MailReport,
  ReplayReport,
} from './schema.ts'

const common = { tag: 'Operation', database: 'catalogue' } as const

export function deadWorkRoutes(parts: DeadLetterParts & DeadJobParts): Route[] {
  const [letters, jobs, mails] = [deadLetters(parts), deadJobs(parts), deadMails(parts)]
  return [
    listed(letters, {
      path: '/api/dead-letters',
      summary: 'List the subscriptions with dead deliveries, of all tenants',
      name: 'listDeadLetters',
      description:
        'For the host tenant, those with the most first, at most a thousand of the shared database. The counts are up to 15 seconds old, or older if counting takes long; those in tenants’ own databases are as old as those of `GET /api/tenant-health`.',
      row: DeadLettersOfSubscription,
      exampleKey: '9007199254740989acme/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
    }),
    retried({
      path: '/api/dead-letters/replay',
      summary: 'Send dead deliveries of many tenants again',
      name: 'replayDeadLetters',
      description: `For the host tenant. Their retry schedule begins again; those of a subscription that is not active wait. ${bounds}`,
      body: DeadLetterReplay,
      reply: ReplayReport,
      names: { group: 'subscriptionId', count: 'deliveries' },
      retry: (context, request) => replayDeadLetters(context, letters, request),
    }),
    listed(jobs, {
      path: '/api/dead-jobs',
      summary: 'List the names of dead jobs, of all tenants',
      name: 'listDeadJobs',
      description:
        'For the host tenant, those with the most first, at most a thousand of the shared database. Only names and numbers: what a job was enqueued with and its error are for the tenant. The counts are as old as those of dead letters.',
      row: DeadJobsOfName,
      exampleKey: '9007199254740989acme/invoice.remind',
    }),
    retried({
      path: '/api/dead-jobs/retry',
      summary: 'Retry dead jobs of many tenants',
      name: 'retryDeadJobs',
      description: `For the host tenant. Their retry schedule begins again. ${bounds}`,
      body: DeadJobRetry,
      reply: JobReport,
      names: { group: 'name', count: 'jobs' },
      retry: (context, request) => retryDeadJobs(context, jobs, request),
    }),
    listed(mails, {
      path: '/api/dead-mails',
      summary: 'List the templates of mails that were not sent, of all tenants',
      name: 'listDeadMails',
      description:
        'For the host tenant, those with the most first, at most a thousand. Only templates and numbers: to whom a mail goes and why it failed is for the tenant. The counts are up to 15 seconds old, or older if counting takes long.',
      row: DeadMailsOfTemplate,
      exampleKey: '9007199254740989acme/account.verify',
    }),
    retried({
      path: '/api/dead-mails/retry',
      summary: 'Retry mails of many tenants that were not sent',
      name: 'retryDeadMails',
      description: `For the host tenant. Mails that can be retried get the whole retry schedule again, the oldest first. ${bounds}`,
      body: DeadMailRetry,
      reply: MailReport,
      names: { group: 'template', count: 'mails' },
      retry: retryAllDeadMails,
    }),
  ]
}

const bounds =
  'One request tries at most 10 000 again, and takes about five seconds at most; `next` in the reply continues it. The audit of each tenant has what was tried again.'

type RouteTexts = Pick<Route, 'path' | 'summary' | 'name' | 'description'>

function listed<G extends { tenantId: string }>(
  groups: DeadGroups<G>,
  { row, ...described }: RouteTexts & { row: TObject; exampleKey: string },
): Route {
  return listRoute({
    ...common,
    ...described,
    access: 'operation:read',
    row,
    filters: {
      tenantId: Type.Optional(
        Type.String({ maxLength: 64, description: 'Only those of this tenant', examples: ['acme'] }),
      ),
    },
    errors: ['unavailable'],
    read: async (_context, { tenantId, ...request }) => {
      const all = await groups.list()
      return pageOf(tenantId === undefined ? all : ofTenant(all, tenantId), groups.key, request)
    },
  })
}

/** @param tenantId in any case, as everywhere */
function ofTenant<G extends { tenantId: string }>(all: readonly G[], tenantId: string): G[] {
  const key = foldTenantId(tenantId)
  return all.filter((each) => foldTenantId(each.tenantId) === key)
}

interface RetryRoute extends RouteTexts {
  body: TSchema
  reply: TSchema
  /** The members of the reply that have the group and the count. */
  names: { group: string; count: string }
  retry: (context: Context, request: RetryRequest) => Promise<Retried>
}

function retried({ body, reply, names, retry, ...described }: RetryRoute): Route {
  return route({
    ...common,
    ...described,
    method: 'POST',
    access: 'operation:write',
    body,
    status: 202,
    reply,
    errors: ['notFound', 'invalid', 'unavailable'],
    handle: async (context, { body: given }) => {
      const { [names.group]: group, ...request } = given as RetryRequest & Record<string, string> // `body` has these members
      const { count, items, ...report } = await retry(context, {
        ...request,
        ...(group !== undefined && { group }),
      })
      return {
        [names.count]: count,
        ...report,
        items: items.map(({ tenantId, group: name, count: some }) => ({
          tenantId,
          [names.group]: name,
          [names.count]: some,
        })),
      }
    },
  })
}
