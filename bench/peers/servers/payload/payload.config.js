/** Products and categories that everybody may read and create, with an index where the requests sort and filter. */
import { postgresAdapter } from '@payloadcms/db-postgres'
import { buildConfig } from 'payload'

const { DATABASE_URL: connectionString } = process.env
const access = { read: () => true, create: () => true }

export default buildConfig({
  secret: 'nobody signs in',
  db: postgresAdapter({ pool: { connectionString } }),
  collections: [
    { slug: 'users', auth: true, fields: [] },
    { slug: 'categories', access, fields: [{ name: 'name', type: 'text', required: true, unique: true }] },
    {
      slug: 'products',
      access,
      fields: [
        { name: 'name', type: 'text', required: true },
        { name: 'description', type: 'textarea' },
        { name: 'price', type: 'number', required: true, index: true },
        { name: 'isActive', type: 'checkbox', defaultValue: true },
        { name: 'category', type: 'relationship', relationTo: 'categories' },
      ],
    },
  ],
  telemetry: false,
})
