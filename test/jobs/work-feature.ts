/** A feature with jobs whose outcome a test decides. */
import { Type } from 'typebox'
import type { Context, JobAttempt } from '../../src/core/context.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { job } from '../../src/core/feature/job.ts'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import { type EnqueueOptions, enqueue } from '../../src/jobs/enqueue.ts'
import type { TestService } from '../support/service.ts'

export interface Attempt extends JobAttempt {
  number: number
  tenantId: string
  context: Context
}

export interface Work {
  /** Each attempt that has begun. */
  attempts: Attempt[]
  /** What an attempt does. */
  run(attempt: Attempt): Promise<void> | void
}

const data = Type.Object({ number: Type.Integer({ maximum: 1_000_000 }) })

export function newWork(run: Work['run'] = () => undefined): Work {
  return { attempts: [], run }
}

/** @param options of the job */
export function workFeature(
  work: Work,
  options: { retrySeconds?: number[]; timeoutSeconds?: number } = {},
): Feature {
  const run = async (context: Context, { number }: { number: number }, attempt: JobAttempt) => {
    const begun = { ...attempt, number, tenantId: context.tenant.id, context }
    work.attempts.push(begun)
    await work.run(begun)
  }
  const other = job('work.other', { data, run })
  return { name: 'work', jobs: [job('work.do', { data, run, ...options }), other] }
}

declare module '../../src/core/feature/job.ts' {
  interface JobData {
    'work.do': { number: number }
    'work.other': { number: number }
  }
}

/** @returns the id of the job */
export async function enqueueFor(
  { service }: TestService,
  tenantId: string,
  number: number,
  options: EnqueueOptions & { name?: 'work.do' | 'work.other' } = {},
): Promise<string> {
  const { name = 'work.do', ...rest } = options
  return forTenant(await service.operator(), tenantId, (context) => enqueue(context, name, { number }, rest))
}

/** Runs the jobs at intervals whose names contain the text. */
export async function runInterval({ service }: Pick<TestService, 'service'>, text: string): Promise<void> {
  const operator = await service.operator()
  for (const each of intervalJobsOf(service.features))
    if (each.name.includes(text)) await each.run(operator, new AbortController().signal)
}
