/** Makes the tables of the configuration, which a deployment makes with migrations. */
import { getPayload } from 'payload'
import config from './payload.config.js'

const payload = await getPayload({ config })
await payload.destroy()
process.exit(0)
