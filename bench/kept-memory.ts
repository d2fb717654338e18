/**
 * What a service keeps in memory. More is resident: what is not collected yet, and the place of V8 for young objects, which
 * the first hundred connections make grow by some 25 MB, however many follow.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** In the folder of the service. */
export const collectedFile = 'collected'

/** Settings of a service whose memory is measured so. */
export const collectable = { NODE_OPTIONS: `--import=${new URL('./collector.ts', import.meta.url).href}` }

const collectWithinMs = 10_000
const pollMs = 20

/** @param service started with `collectable` @returns MB */
export async function keptMb({ pid, folder }: { pid: number; folder: string }): Promise<number> {
  const file = join(folder, collectedFile)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  const latest = performance.now() + collectWithinMs
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    if (performance.now() > latest) throw new Error('The service did not collect its garbage.')
    await sleep(pollMs)
  }
  return Number(readFileSync(file, 'utf8'))
}
