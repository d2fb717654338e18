/** What tests of files do again and again. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import type { Answer, Client } from '../support/client.ts'
import { pdf } from '../support/files/contents.ts'
import type { TestService } from '../support/service.ts'

export function upload(
  caller: Client,
  content: Uint8Array = pdf(),
  { name = 'a.pdf', type = 'application/pdf' }: { name?: string; type?: string } = {},
): Promise<Answer> {
  return caller.send('POST', `/api/files?${new URLSearchParams({ name })}`, content, { 'content-type': type })
}

/** Bytes as they are, which the client of the tests would decode. */
export async function download(caller: Client, path: string, headers: Record<string, string> = {}) {
  const url = path.startsWith('http') ? path : `${caller.baseUrl}${path}`
  const response = await fetch(url, { headers: { ...caller.headers, ...headers } })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

/** A link begins with the address of the settings; the port of a test is not in it. */
export function pathOf(link: string): string {
  const { pathname, search } = new URL(link)
  return `${pathname}${search}`
}

/** The sweep, as the service runs it every hour. */
export async function sweep({ service }: Pick<TestService, 'service'>): Promise<void> {
  const job = intervalJobsOf(service.features).find(({ name }) => name === 'sweep of files')
  await job?.run(await service.operator(), new AbortController().signal)
}

/** All contents in the data folder, as `<tenant>/<id>`, with those of incomplete uploads. */
export function storedIn({ dataDir }: Pick<TestService, 'dataDir'>): string[] {
  const folder = join(dataDir, 'files')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== '.store') // which names the folder to other instances
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
