import { dirname } from 'node:path'
import { withPayload } from '@payloadcms/next/withPayload'

/** Where the packages are: Next.js would take the folder of a lock file above. */
const root = dirname(import.meta.dirname)

export default withPayload({ turbopack: { root }, outputFileTracingRoot: root })
