/** The start of an application with many entities: with its first migration, and with nothing to migrate. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startServer } from '../process.ts'
import { makeFolder, removeFolder } from '../service.ts'
import { type Finding, median, range } from './finding.ts'

export const row = 'entities'

const entities = 200
const targetSeconds = 1.5
const project = resolve(import.meta.dirname, '../..')
const application = pathToFileURL(join(project, 'bench/entities/application.ts')).href
const script = 'bin/tenantry.js'
const settings = { ENTITIES: `${entities}` }

/** @param starts of each kind */
export async function measureEntities(starts: number): Promise<Finding[]> {
  const first: number[] = []
  const later: number[] = []
  for (let start = 0; start < starts; start++) {
    const folder = makeFolder()
    writeApplication(folder)
    for (const seconds of [first, later]) {
      const server = await startServer({
        command: [script, 'serve'],
        folder,
        settings,
        readyPath: '/health/ready',
      })
      seconds.push(server.readyMs / 1000)
      await server.stop()
    }
    removeFolder(folder)
  }
  return [
    finding('in an empty data folder, with the migration of all', first, null),
    finding('with nothing to migrate', later, targetSeconds),
  ]
}

/** As `tenantry init` makes one, with its migrations. */
function writeApplication(folder: string): void {
  writeFileSync(join(folder, 'tenantry.config.ts'), `export { default } from '${application}'\n`)
  const words = [join(project, script), 'migrate', 'diff']
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings }
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`No migrations in ${join(folder, 'migrations')}: ${stderr}`)
}

function finding(how: string, seconds: readonly number[], target: number | null): Finding {
  const middle = median(seconds)
  const [least, most] = range(seconds)
  return {
    row,
    work: `start to ready with ${entities} entities, ${how}`,
    figure: `${middle.toFixed(2)} s`,
    target: target === null ? null : `≤ ${target.toFixed(1)} s`,
    reached: target === null || middle <= target,
    detail: `${seconds.length} starts: ${least.toFixed(2)} to ${most.toFixed(2)} s`,
  }
}
