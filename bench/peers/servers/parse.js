/** Parse Server with both of its interfaces. Its schema is defined and locked, as its documents recommend for production. */
import { ParseServer } from 'parse-server'

const { DATABASE_URL: databaseURI, PORT } = process.env
const everybody = { '*': true }
const permissions = { get: everybody, find: everybody, count: everybody, create: everybody }

await ParseServer.startApp({
  appId: 'peers',
  masterKey: 'nobody uses this key',
  serverURL: `http://localhost:${PORT}/parse`,
  port: Number(PORT),
  databaseURI,
  mountGraphQL: true,
  allowClientClassCreation: false,
  silent: true,
  logsFolder: null,
  schema: {
    lockSchemas: true,
    definitions: [
      { className: 'Category', fields: { name: { type: 'String' } }, classLevelPermissions: permissions },
      {
        className: 'Product',
        fields: {
          name: { type: 'String', required: true },
          description: { type: 'String' },
          price: { type: 'Number', required: true },
          isActive: { type: 'Boolean', defaultValue: true },
          category: { type: 'Pointer', targetClass: 'Category' },
        },
        classLevelPermissions: permissions,
      },
    ],
  },
})

process.once('SIGTERM', () => process.exit(0))
