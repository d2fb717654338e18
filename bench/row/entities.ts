/** The start of an application with many entities: with its first migration, and with nothing to migrate. */
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { startServer } from '../process.ts'
import { makeFolder, removeFolder } from '../service.ts'
import { type Finding, median, range } from './finding.ts'

export const row = 'entities'

const entities = 200
const targetSeconds = 1.5
const script = 'bench/entities/application.ts'
const settings = { ENTITIES: `${entities}` }

/** @param starts of each kind */
export async function measureEntities(starts: number): Promise<Finding[]> {
  const first: number[] = []
  const later: number[] = []
  for (let start = 0; start < starts; start++) {
    const folder = makeFolder()
    writeMigrations(folder)
    for (const seconds of [first, later]) {
      const server = await startServer({ command: [script], folder, settings, readyPath: '/health/ready' })
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

function writeMigrations(folder: string): void {
  const words = [resolve(import.meta.dirname, '../..', script), 'migrate', 'diff']
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
