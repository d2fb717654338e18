/** `npm run simulate`: what cannot be measured on one machine. Its tables stand in docs/scaling.md. */
import { connectionTable, placementTable } from './tables.ts'

process.stdout.write(`The busiest server, as a multiple of the mean:\n\n${placementTable()}\n\n`)
process.stdout.write(`Requests that wait for a connection to be opened:\n\n${connectionTable()}\n`)
