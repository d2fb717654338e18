/** Bare Fastify and a pool of `pg` with named statements: the same queries without any feature. */
import pg from 'pg'
import { newId } from '../../src/core/id.ts'
import { bareServer, listen, type ProductRequests, replies } from './listen.ts'

/** As many connections as the service takes by default. */
const connections = 10
const numeric = 1700

const columns = `id, name, description, price, is_active AS "isActive", category_id AS "categoryId",
  created_at AS "createdAt", updated_at AS "updatedAt"`
const byId = { name: 'byId', text: `SELECT ${columns} FROM product WHERE id = $1` }
const page = { name: 'page', text: `SELECT ${columns} FROM product ORDER BY id LIMIT $1` }
const insertProduct = {
  name: 'insertProduct',
  text: 'INSERT INTO product VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
}
const insertEvent = { name: 'insertEvent', text: 'INSERT INTO event VALUES ($1, $2, $3, $4)' }

pg.types.setTypeParser(numeric, Number)
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: connections })
await pool.query(`
  CREATE TABLE product (
    id uuid PRIMARY KEY, name text NOT NULL, description text, price numeric(15,4) NOT NULL,
    is_active boolean NOT NULL, category_id uuid, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL
  );
  CREATE TABLE event (
    id uuid PRIMARY KEY, type text NOT NULL, data text NOT NULL, created_at timestamptz NOT NULL
  );
`)

const app = bareServer()

app.get<ProductRequests['byId']>('/api/products/:id', replies.product, async (request) => {
  const { rows } = await pool.query({ ...byId, values: [request.params.id] })
  return rows[0]
})

app.get<ProductRequests['list']>('/api/products', replies.list, async (request) => {
  const { rows } = await pool.query({ ...page, values: [Number(request.query.limit)] })
  return rows
})

app.post<ProductRequests['create']>('/api/products', replies.product, async (request, reply) => {
  const { name, description = null, price } = request.body
  const id = newId()
  const now = new Date().toISOString()
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query({ ...insertProduct, values: [id, name, description, price, true, null, now, now] })
    const data = JSON.stringify({ productId: id, name, price })
    await client.query({ ...insertEvent, values: [newId(), 'product.created', data, now] })
    await client.query('COMMIT')
  } finally {
    client.release()
  }
  reply.code(201)
  return { id, name, description, price, isActive: true, categoryId: null, createdAt: now, updatedAt: now }
})

await listen(app)
