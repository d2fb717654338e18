/** A process that erases a tenant as the command does, and is killed when it has reached a phase. */
import { pino } from 'pino'
import { openOperator } from '../../../src/cli/with-operator.ts'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { eraseTenant } from '../../../src/operations/erase/erase.ts'

const [id = '', end] = process.argv.slice(2)
const { context } = await openOperator(loadConfig(), { log: pino({ level: 'silent' }) })
await eraseTenant(context, id, {
  reached: (phase) => {
    if (phase === end) process.kill(process.pid, 'SIGKILL')
  },
})
