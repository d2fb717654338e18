/** The file whose tests a process runs. */
import { type Times, timesNow, timesSince } from './times.ts'

let path = ''
let begin = timesNow()

/** @param file from the root of the project */
export function enterFile(file: string): void {
  path = file
  begin = timesNow()
}

export function currentFile(): string {
  return path
}

/** Since the file was entered. */
export function timesOfFile(): Times {
  return timesSince(begin)
}
