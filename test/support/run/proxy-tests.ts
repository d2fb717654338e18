/** Tests that run the proxies of the documents, which the system has. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export const proxies = ['nginx', 'haproxy', 'caddy']
/** Where systems keep daemons, which the path of a user may lack. */
const daemons = ['/usr/sbin', '/usr/local/sbin']

export function isProxyTest(file: string): boolean {
  return file.endsWith('.proxy.fault.test.ts')
}

/** @returns `null` for a program that this machine does not have */
export function programPath(program: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...daemons]
  return folders.map((folder) => join(folder, program)).find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // there is none
  }
}
