/** Real servers for tests, and a network that fails. */
export { type PostgresServer, type PostgresServerOptions, startPostgresServer } from './postgres-server.ts'
export { type ProxyDirection, startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
