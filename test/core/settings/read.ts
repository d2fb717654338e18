/** Reads settings as a service does, with a master key. */
import { randomBytes } from 'node:crypto'
import { type Config, ConfigError, loadConfig } from '../../../src/core/settings/config.ts'
import { project } from '../../support/process/workplace.ts'

export const key = randomBytes(32)
export const MASTER_KEY = key.toString('base64')

export function load(environment: Record<string, string>): Config {
  return loadConfig({ MASTER_KEY, ...environment }, project)
}

export function configFaults(environment: Record<string, string>): readonly string[] {
  try {
    load(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}
