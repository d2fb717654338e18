import { cpus, totalmem } from 'node:os'

export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 1e9)} GB`
  const versions = `Node ${process.version}, SQLite ${process.versions.sqlite}`
  return `${cpus().length} cores (${cpu?.model.trim()}), ${memory}, ${process.platform}-${process.arch}, ${versions}`
}
