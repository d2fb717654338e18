/** What the worker of the catalogue's database does with runs that are due, at a moment of the test's own. */
import { ServedTenants } from '../../src/core/queue/served-tenants.ts'
import { TenantDirectory } from '../../src/core/tenant/directory.ts'
import { ActionRuns } from '../../src/webhooks/incoming/queue/action-queue.ts'
import type { TestService } from '../harness/service.ts'

export async function runDue(
  { service }: TestService,
  clock: () => Date,
  retrySeconds: readonly number[],
): Promise<void> {
  const operator = await service.operator()
  const shared = Object.assign(Object.create(operator.shared), { clock })
  const tenants = new ServedTenants(shared, new TenantDirectory(operator.catalogue))
  const queue = new ActionRuns({ shared, tenants, retrySeconds }).createQueue()
  await queue.dueIndex.refresh(() => queue.walk(operator.tenantDatabase))
  const { begun } = await queue.pass(operator.tenantDatabase)
  await Promise.all(begun)
}
