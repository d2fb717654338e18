import { makeFolder, removeFolder, startService } from '../service.ts'
import { type Finding, median, range } from './finding.ts'

const targetSeconds = 1

/** From spawn until `/health/ready` answers 200, each time in an empty folder. */
export async function measureStart(starts: number): Promise<Finding> {
  const seconds: number[] = []
  for (let start = 0; start < starts; start++) {
    const folder = makeFolder()
    const service = await startService({}, folder)
    seconds.push(service.readyMs / 1000)
    await service.stop()
    removeFolder(folder)
  }
  const middle = median(seconds)
  const [least, most] = range(seconds)
  return {
    row: 'start',
    work: 'start to ready, embedded, empty data folder',
    figure: `${middle.toFixed(2)} s`,
    target: `≤ ${targetSeconds.toFixed(1)} s`,
    reached: middle <= targetSeconds,
    detail: `${starts} starts: ${least.toFixed(2)} to ${most.toFixed(2)} s`,
  }
}
