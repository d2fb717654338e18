/** `npm run file-campaign`: uploads while the service is killed, and the memory that a large file takes. */
import { parseArgs } from 'node:util'
import { uploadDespiteKills } from './kill.ts'
import { measureGrowth } from './memory.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, megabytes: { type: 'string', default: '100' } },
})
const megabyte = 1_000_000
const maxGrowthBytes = 20 * megabyte

for (const database of ['sqlite', 'postgres'] as const) {
  const { acknowledged, deleted, left } = await uploadDespiteKills(database, Number(values.rounds))
  const counts = `${acknowledged} files acknowledged, 0 lost, ${deleted} deleted, ${left} contents left for the sweep, 0 after it`
  process.stdout.write(`${values.rounds} × kill -9 on ${database}: ${counts}\n`)
}
const { uploadBytes, downloadBytes, uploadMs, downloadMs } = await measureGrowth(
  Number(values.megabytes) * megabyte,
)
const grown = (bytes: number) => `${(bytes / megabyte).toFixed(1)} MB`
process.stdout.write(
  `${values.megabytes} MB: memory grew by ${grown(uploadBytes)} during the upload (${uploadMs} ms) and by ${grown(downloadBytes)} during the download (${downloadMs} ms)\n`,
)
if (Math.max(uploadBytes, downloadBytes) > maxGrowthBytes) process.exitCode = 1
process.exit()
