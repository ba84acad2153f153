/** The functions that append. */
import { passes } from '../storage/judge-write.ts'
import { heartbeatTimeout } from '../storage/liveness.ts'
import { secondsOf } from './sql-text.ts'

/** How each verdict on an append is written in a result. */
export const verdicts = { appended: 0, conflict: 1, fenced: 2, noParent: 3, quarantined: 4, parentQuarantined: 5 } as const

/** Which other processes are notified of an append: none, the driver of the thread, or watchers too, if the statement asked for them. */
export const audiences = { none: 0, driver: 1, watchers: 2 } as const

/** The functions that append, and those that they use. */
export function appendFunctions(s: string): string {
  return [chain(s), beginThread(s), refusal(s), append(s), appendAll(s)].join('\n')
}

/** The hash of a batch, and the hash that the chain of a thread starts with. */
function chain(s: string): string {
  return `
create or replace function ${s}.link(previous bytea, id text, line text) returns bytea language sql stable as $$
  select sha256(convert_to(encode(previous, 'hex') || E'\\n{"id":"' || id || '",' || line, 'UTF8'))
$$;
create or replace function ${s}.chain_start(p_thread text, p_incarnation text) returns bytea language sql stable as $$
  select sha256(convert_to('loom:' || p_thread || case when p_incarnation = p_thread then '' else E'\\n' || p_incarnation end, 'UTF8'))
$$;`
}

const fork = 'p_fork_thread text, p_fork_incarnation text, p_fork_seq bigint'

/**
 * Creates the row of a thread, unless the thread has events: then nothing changes. A row without events comes from a claim, and takes the incarnation of
 * the first batch. A fork starts at its cut.
 *
 * `has_moment` returns whether a thread holds the event at a cut, and keeps the thread from being removed until the transaction ends (JOURNAL-7).
 */
function beginThread(s: string): string {
  return `
create or replace function ${s}.has_moment(p_thread text, p_incarnation text, p_seq bigint) returns boolean language plpgsql as $$
begin
  perform 1 from ${s}.threads t
    where t.name = p_thread and coalesce(t.incarnation, t.name) = p_incarnation and p_seq between 1 and t.seq for key share;
  return found;
end $$;
create or replace function ${s}.begin_thread(p_thread text, p_incarnation text, ${fork}) returns void language sql as $$
  insert into ${s}.threads as t (name, incarnation, fork_thread, fork_incarnation, fork_seq, seq, hash, epoch, status)
    select p_thread, nullif(p_incarnation, p_thread), p_fork_thread, p_fork_incarnation, p_fork_seq, n.seq, n.hash, 0, 'idle'
    from (select coalesce(p_fork_seq, 0) as seq, ${s}.chain_start(p_thread, p_incarnation) as hash) n
    where not exists (select 1 from ${s}.threads k where k.name = p_thread and (k.seq > 0 or (k.seq = n.seq and k.hash = n.hash)))
    on conflict (name) do update set incarnation = excluded.incarnation, fork_thread = excluded.fork_thread,
      fork_incarnation = excluded.fork_incarnation, fork_seq = excluded.fork_seq, seq = excluded.seq, hash = excluded.hash
      where t.seq = 0
$$;`
}

/**
 * The verdict on a batch that does not fit; null when it may be tried again.
 *
 * A writer that appends again after a lost reply expects the same seq: its batch is the one that starts there, or it is not stored (JOURNAL-2).
 */
function refusal(s: string): string {
  return `
create or replace function ${s}.refusal(p_thread text, p_id text, p_incarnation text, p_expected bigint, p_epoch bigint, p_quarantined int, p_pass int, ${fork})
returns text language plpgsql as $$
declare
  head record;
  stored record;
  is_other boolean;
begin
  select t.id, t.seq, t.epoch, t.fork_seq, t.status, t.quarantined, coalesce(t.incarnation, t.name) as incarnation into head from ${s}.threads t where t.name = p_thread;
  head.seq := coalesce(head.seq, 0);
  head.epoch := coalesce(head.epoch, 0);
  is_other := head.seq > 0 and head.incarnation <> p_incarnation;
  select b.id, b.last into stored from ${s}.batches b where b.thread = head.id and b.last > p_expected and (
    p_expected = coalesce(head.fork_seq, 0) or exists (select 1 from ${s}.batches e where e.thread = head.id and e.last = p_expected)
  ) order by b.last limit 1;
  if stored.id = p_id and not is_other then
    return '${verdicts.appended} ' || stored.last;
  elsif head.quarantined and p_pass is null then
    return '${verdicts.quarantined} 0';
  elsif p_epoch <> head.epoch or (p_epoch is null and head.status = 'partial') or (is_other and p_expected > 0 and p_fork_thread is null) then
    return '${verdicts.fenced} ' || head.epoch;
  elsif is_other or (p_fork_thread is not null and head.seq > 0) then
    return '${verdicts.conflict} ' || head.seq;
  elsif p_expected <> (case when head.seq = 0 then coalesce(p_fork_seq, 0) else head.seq end) then
    return '${verdicts.conflict} ' || head.seq;
  elsif p_fork_thread is not null and not ${s}.has_moment(p_fork_thread, p_fork_incarnation, p_fork_seq) then
    return '${verdicts.noParent} 0';
  elsif p_fork_thread is not null and p_quarantined is null and p_pass is distinct from ${passes.copy}
    and (select t.quarantined from ${s}.threads t where t.name = p_fork_thread) then
    return '${verdicts.parentQuarantined} 0';
  end if;
  return null;
end $$;`
}

/** Sets whether this commit is flushed, whatever the default of the server is. */
export const flush = `if p_lazy = 1 then
    flushed := set_config('synchronous_commit', 'off', true);
  elsif current_setting('synchronous_commit') = 'off' then
    flushed := set_config('synchronous_commit', 'on', true);
  end if;`

/** The parameters of a batch, but for its blobs. */
const batch = [
  ...['thread text', 'id text', 'incarnation text', 'expected bigint', 'epoch bigint', 'count int', 'line text', 'status text', 'agent text'],
  ...['parent text', 'wake_at double precision', 'labels text', 'quarantined int', 'pass int'],
  ...['fork_thread text', 'fork_incarnation text', 'fork_seq bigint'],
].map((parameter) => parameter.split(/ (.*)/, 2) as [name: string, type: string])
const names = batch.map(([name]) => name)
const single = batch.map(([name, type]) => `p_${name} ${type}`).join(', ')

const audience = `case when watched then ${audiences.watchers} when t.instance <> p_here then ${audiences.driver} else ${audiences.none} end`

/** Whether other objects watch the threads of others; a statement asks for that now and then. */
const watched = (s: string): string => `if p_ask = 1 then
    watched := exists (select 1 from ${s}.instances i where i.listening > now() - ${secondsOf(heartbeatTimeout)} and i.id <> p_here);
  end if;`

/** When the summary of a row has changed last. */
const changed = (summary: string): string =>
  `case when (t.status, t.agent, t.parent, t.wake_at, t.labels, t.quarantined) is distinct from (${summary}) then now() else t.changed end`

/** Whether the epoch of a batch lets it be stored: without one, it is a contributor's (JOURNAL-3), which a copy that is not whole refuses (JOURNAL-22). */
const mayWrite = (epoch: string, current: string): string => `(${epoch} = ${current} or (${epoch} is null and t.status <> 'partial'))`

/** Whether a batch may enter the thread (JOURNAL-23). */
const mayEnter = (pass: string): string => `(${pass} is not null or not t.quarantined)`

/** One batch. Its blobs are stored by `append_all`. A batch without events is checked, and stores nothing. */
function append(s: string): string {
  return `
create or replace function ${s}.append(p_lazy int, p_ask int, p_here text, ${single}) returns text language plpgsql as $$
declare
  head record;
  refused text;
  flushed text;
  watched boolean := false;
begin
  ${flush}
  ${watched(s)}
  loop
    update ${s}.threads t set seq = t.seq + p_count, hash = ${s}.link(t.hash, p_id, p_line),
      status = p_status, agent = p_agent, parent = p_parent, wake_at = p_wake_at, labels = p_labels,
      quarantined = p_quarantined is not null, changed = ${changed('p_status, p_agent, p_parent, p_wake_at, p_labels, p_quarantined is not null')}
      where t.name = p_thread and t.seq = p_expected and ${mayWrite('p_epoch', 't.epoch')} and ${mayEnter('p_pass')}
        and coalesce(t.incarnation, t.name) = p_incarnation and p_count > 0
        and (p_fork_thread is null or (t.fork_thread = p_fork_thread and t.fork_seq = t.seq))
      returning t.id, t.seq, t.hash, ${audience} as audience into head;
    if found then
      insert into ${s}.batches (thread, last, id, hash, line) values (head.id, head.seq, p_id, head.hash, p_line);
      return '${verdicts.appended} ' || head.seq || ' ' || head.audience || ' ' || head.id || ' ' || encode(head.hash, 'hex');
    end if;
    refused := ${s}.refusal(p_thread, p_id, p_incarnation, p_expected, p_epoch, p_quarantined, p_pass, p_fork_thread, p_fork_incarnation, p_fork_seq);
    if refused is not null or p_count = 0 then
      return coalesce(refused, '${verdicts.appended} ' || p_expected);
    end if;
    perform ${s}.begin_thread(p_thread, p_incarnation, p_fork_thread, p_fork_incarnation, p_fork_seq);
  end loop;
end $$;`
}

const several = batch.map(([name, type]) => `p_${name} ${name === 'line' ? 'text' : `${type}[]`}`).join(', ')
const columns = names.map((name) => (name === 'line' ? "string_to_array(p_line, E'\\n')" : `p_${name}`)).join(', ')
const given = `unnest(${columns}) with ordinality as b(${names.join(', ')}, place)`

/**
 * Batches of many threads in one commit, each with its own verdict; no thread is in it twice. Those that continue a thread are stored together, and
 * `append` decides on the rest. A blob is stored once, and counts the threads that have it.
 *
 * The heads are written by upserts: they find each row by its key, whatever the planner thinks of the table (PG-3).
 */
function appendAll(s: string): string {
  const summary = ['status', 'agent', 'parent', 'wake_at', 'labels', 'quarantined']
  return `
create or replace function ${s}.append_all(p_lazy int, p_ask int, p_here text, ${several}, p_owners int[], p_names text[], p_bytes bytea[])
returns text language plpgsql as $$
declare
  batch record;
  blob record;
  flushed text;
  verdicts text[];
  watched boolean := false;
begin
  ${flush}
  ${watched(s)}
  with locked as materialized (
    select b.*, b.quarantined is not null as is_quarantined, t.number, t.seq, t.hash, t.current, t.audience,
      t.seq = b.expected and ${mayWrite('b.epoch', 't.current')} and ${mayEnter('b.pass')} and t.known = b.incarnation and b.count > 0 and b.fork_thread is null as fits
    from ${given} left join lateral (
      select t.id as number, t.seq, t.hash, t.epoch as current, t.status, t.quarantined, coalesce(t.incarnation, t.name) as known, ${audience} as audience
      from ${s}.threads t where t.name = b.thread limit 1 for no key update
    ) t on true
  ), linked as materialized (
    select l.*, l.seq + l.count as last, ${s}.link(l.hash, l.id, l.line) as next from locked l where l.fits
  ), stored as (
    insert into ${s}.batches (thread, last, id, hash, line) select l.number, l.last, l.id, l.next, l.line from linked l
  ), grown as (
    insert into ${s}.threads as t (id, name, seq, hash, epoch, ${summary.join(', ')}) overriding system value
    select l.number, l.thread, l.last, l.next, l.current, ${summary.map((column) => `l.${column === 'quarantined' ? 'is_quarantined' : column}`).join(', ')} from linked l
    on conflict (name) do update set seq = excluded.seq, hash = excluded.hash, ${summary.map((column) => `${column} = excluded.${column}`).join(', ')},
      changed = ${changed(summary.map((column) => `excluded.${column}`).join(', '))}
  )
  select array_agg('${verdicts.appended} ' || k.last || ' ' || k.audience || ' ' || k.number || ' ' || encode(k.next, 'hex') order by l.place)
    into verdicts from locked l left join linked k using (place);
  for batch in select b.* from ${given} where verdicts[b.place] is null loop
    verdicts[batch.place] := ${s}.append(p_lazy, p_ask, p_here, ${names.map((name) => `batch.${name}`).join(', ')});
  end loop;
  for blob in select nullif(split_part(verdicts[b.owner], ' ', 4), '')::bigint as thread, b.name, b.bytes
    from unnest(p_owners, p_names, p_bytes) as b(owner, name, bytes) order by b.name loop
    continue when blob.thread is null;
    insert into ${s}.thread_blobs (thread, hash) values (blob.thread, blob.name) on conflict do nothing;
    if found then
      insert into ${s}.blobs as b (hash, threads, digest, bytes) values (blob.name, 1, sha256(blob.bytes), blob.bytes)
        on conflict (hash) do update set threads = b.threads + 1;
    end if;
  end loop;
  return array_to_string(verdicts, ',');
end $$;`
}
