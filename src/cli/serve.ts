/** `tenantry serve`: runs the service until a signal stops it. */
import type { Logger } from 'pino'
import { createLog } from '../core/log/log.ts'
import { loadConfig, startedByNpm } from '../core/settings/config.ts'
import { type SetupSettings, setupTokenOf } from '../identity/initialization/setup-token.ts'
import { hasUsers } from '../identity/user/user.ts'
import { createService, type Service } from '../service/service.ts'
import { print, type Run } from './command.ts'
import type { Surroundings } from './surroundings.ts'

/** Requests that run longer are aborted. Kubernetes kills the process after 30 s. */
const stopWithinMs = 25_000

/** npm forwards a Ctrl-C that the terminal has also sent to this process: two signals that count as one. */
const sameSignalWithinMs = 250

const orphanCheckMs = 250

/** Serves until SIGTERM or SIGINT, then finishes requests in flight. */
export const serve: Run = async (config, _given, options, surroundings) => {
  const log = options.log ?? (await createLog(config))
  let exitCode = 0
  const service = await createService(config, { ...options, log })
  try {
    const address = await service.start()
    const signal = firstSignal(log, surroundings)
    const fault = Promise.withResolvers<'fault'>()
    onUnexpected(log, () => fault.resolve('fault'))
    process.on('SIGUSR2', () => readMasterKeys(service, log, surroundings))
    await greet(service, address, config, surroundings)
    log.info({ address, pid: process.pid, node: process.version }, 'listening')
    const reason = await Promise.race([signal, fault.promise])
    if (reason === 'fault') exitCode = 1
    log.info({ signal: reason }, 'stopping')
    setTimeout(() => force(log, 'requests took too long'), stopWithinMs).unref()
  } finally {
    await service.stop()
  }
  log.info('stopped')
  return exitCode
}

async function greet(
  service: Service,
  address: string,
  settings: SetupSettings,
  { output }: Surroundings,
): Promise<void> {
  print(output, `Tenantry listens on ${address}`)
  print(output, `Console:            ${address}/console`)
  print(output, `API reference:      ${address}/swagger and ${address}/api-docs`)
  print(output, `GraphQL:            ${address}/graphql/ui`)
  const operator = await service.operator()
  if (await hasUsers(operator)) return
  const admin =
    '{"userName":"admin","email":"admin@example.com","password":"Admin@123","firstName":"Ada","lastName":"Lovelace"}'
  print(output, 'There is no user yet. Create the first administrator with a password of your own:')
  const token = setupTokenOf(operator.shared, settings)
  const header =
    token === null ? '' : ` -H 'x-setup-token: ${settings.setupToken === null ? token : '<SETUP_TOKEN>'}'`
  const command = `curl -X POST ${address}/api/init/first-admin -H 'content-type: application/json'${header}`
  print(output, `  ${command} -d '${admin}'`)
}

/** Reads the master keys from the settings. Invalid settings leave the current keys in use. */
function readMasterKeys(service: Service, log: Logger, { environment, folder }: Surroundings): void {
  try {
    const { masterKey, previousMasterKeys } = loadConfig(environment, folder, 'refuse')
    const [encrypting, ...previous] = service.changeMasterKeys(masterKey, previousMasterKeys)
    log.info({ masterKey: encrypting, previous }, 'master keys read')
  } catch (error) {
    log.error({ err: error }, 'master keys not read')
  }
}

/**
 * An uncaught error leaves the process in an unknown state. It is logged, requests in flight finish, and the supervisor
 * starts a new process. A second uncaught error ends the process at once.
 */
function onUnexpected(log: Logger, stop: () => void): void {
  let isStopping = false
  const end = (error: unknown): void => {
    log.fatal({ err: error }, 'uncaught error')
    if (isStopping) process.exit(1)
    isStopping = true
    stop()
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** A second signal ends the process. */
function firstSignal(log: Logger, { environment }: Surroundings): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstAtMs: number | null = null
  const react = (signal: NodeJS.Signals): void => {
    if (firstAtMs === null) {
      firstAtMs = performance.now()
      resolve(signal)
    } else if (performance.now() - firstAtMs > sameSignalWithinMs) {
      force(log, `a second signal, ${signal}`)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, react)
  if (startedByNpm(environment)) whenOrphaned(() => resolve('SIGTERM'))
  return promise
}

/** A SIGTERM to npm ends npm and its shell, but is not forwarded to this process. */
function whenOrphaned(react: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    react()
  }, orphanCheckMs)
  watch.unref()
}

function force(log: Logger, reason: string): void {
  log.error({ reason }, 'stopped with requests in flight')
  process.exit(1)
}
