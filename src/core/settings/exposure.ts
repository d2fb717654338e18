import { dirname } from 'node:path'
import { exposureOf } from '../../database/private-file.ts'
import { parseDatabaseUrl } from '../../database/target.ts'
import type { Config } from './config.ts'

/** @returns advice for the data folder, and a database outside of it, that other users of this machine can read */
export function exposures({ dataDir, databaseUrl }: Config): string[] {
  const found = [exposureOf(dataDir)]
  const target = parseDatabaseUrl(databaseUrl)
  if (
    target.kind === 'sqlite' &&
    dirname(target.path) !== dataDir &&
    exposureOf(dirname(target.path)) !== null
  )
    found.push(exposureOf(target.path))
  return found.filter((text) => text !== null)
}
