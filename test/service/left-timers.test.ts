/** A service that has stopped, in a process that goes on, is not kept in memory by a timer. */
import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startService, type TestService } from '../support/service.ts'

/** Of the work that is done inside: other services of this process have timers as well. */
const inside = new AsyncLocalStorage<true>()

onEachDatabase('A service that has stopped', (database) => {
  it('leaves no timer', async () => {
    const timers = new Map<number, object>()
    const hook = createHook({
      init: (id, type, _trigger, resource) => {
        if (type === 'Timeout' && inside.getStore() === true) timers.set(id, resource)
      },
      destroy: (id) => void timers.delete(id),
      trackPromises: false,
    })
    hook.enable()
    try {
      await inside.run(true, useAndStop, () => startService(database))
      await eventually('the end of all timers', soonMs, async () => timers.size === 0)
    } finally {
      hook.disable()
    }
  })
})

async function useAndStop(start: () => Promise<TestService>): Promise<void> {
  const service = await start()
  await service.newTenant()
  await service.stop()
}
