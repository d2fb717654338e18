/** A process that erases a tenant as the command does, and is killed as soon as it has reached a phase. */
import { pino } from 'pino'
import { loadConfig } from '../../src/config.ts'
import { createService } from '../../src/service.ts'
import { eraseTenant } from '../../src/tenant/erase/erase.ts'

const [id = '', end] = process.argv.slice(2)
const service = await createService(loadConfig(), { log: pino({ level: 'silent' }) })
await eraseTenant(await service.operator(), id, {
  reached: (phase) => {
    if (phase === end) process.kill(process.pid, 'SIGKILL')
  },
})
