/** How much the memory of the service grows while a large file passes through it. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { pdf } from '../support/files/contents.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { type RunningService, Workplace } from '../support/process/workplace.ts'

const sampleMs = 10

export interface Growth {
  uploadBytes: number
  downloadBytes: number
  uploadMs: number
  downloadMs: number
}

/** On Linux, in bytes, over what the process has after smaller files. */
export async function measureGrowth(fileBytes: number): Promise<Growth> {
  await using place = new Workplace()
  const service = await place.serve()
  const { authorization } = await createAdmin(service)
  for (let warm = 0; warm < 5; warm++)
    await downloadFile(service, authorization, await uploadFile(service, authorization, 5_000_000))
  const upload = await grownBy(service, () => uploadFile(service, authorization, fileBytes))
  const download = await grownBy(service, () => downloadFile(service, authorization, upload.result))
  return {
    uploadBytes: upload.bytes,
    downloadBytes: download.bytes,
    uploadMs: upload.ms,
    downloadMs: download.ms,
  }
}

async function grownBy<T>({ process: { pid } }: RunningService, work: () => Promise<T>) {
  const before = residentBytes(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, sampleMs)
  const began = performance.now()
  try {
    const result = await work()
    return { result, bytes: most - before, ms: Math.round(performance.now() - began) }
  } finally {
    clearInterval(timer)
  }
}

function residentBytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** @returns the id */
async function uploadFile({ url }: RunningService, authorization: string, size: number): Promise<string> {
  const head = pdf()
  const headers = { authorization, 'content-type': 'application/pdf', 'content-length': `${size}` }
  const call = request(`${url}/api/files?name=large.pdf`, { method: 'POST', headers })
  const answered = once(call, 'response')
  const chunk = Buffer.alloc(64 * 1024, 1)
  call.write(head)
  for (let left = size - head.length; left > 0; left -= chunk.length)
    if (!call.write(chunk.subarray(0, Math.min(left, chunk.length)))) await once(call, 'drain')
  call.end()
  const [response] = await answered
  let text = ''
  for await (const each of response) text += each
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${text}`)
  return JSON.parse(text).id
}

async function downloadFile({ url }: RunningService, authorization: string, id: string): Promise<void> {
  const response = await fetch(`${url}/api/files/${id}`, { headers: { authorization } })
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status}`)
  for await (const _chunk of response.body);
}
