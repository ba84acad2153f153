/** The functions that append. */
import { heartbeatTimeout } from '../storage/liveness.ts'
import { secondsOf } from './sql-text.ts'

/** How each verdict on an append is written in a result. */
export const verdicts = { appended: 0, conflict: 1, fenced: 2, again: 3, noParent: 4 } as const

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
  perform 1 from ${s}.threads t where t.name = p_thread and coalesce(t.incarnation, t.name) = p_incarnation and t.seq >= p_seq for key share;
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
 * A writer that appends again after a lost reply expects the same seq: its batch is the one that follows, or it is not stored (JOURNAL-2).
 */
function refusal(s: string): string {
  return `
create or replace function ${s}.refusal(p_thread text, p_id text, p_incarnation text, p_expected bigint, p_epoch bigint, ${fork})
returns text language plpgsql as $$
declare
  head record;
  stored record;
  is_other boolean;
begin
  select t.id, t.seq, t.epoch, coalesce(t.incarnation, t.name) as incarnation into head from ${s}.threads t where t.name = p_thread;
  head.seq := coalesce(head.seq, 0);
  head.epoch := coalesce(head.epoch, 0);
  is_other := head.seq > 0 and head.incarnation <> p_incarnation;
  select b.id, b.last into stored from ${s}.batches b where b.thread = head.id and b.last > p_expected order by b.last limit 1;
  if stored.id = p_id and not is_other then
    return '${verdicts.appended} ' || stored.last;
  elsif is_other and (p_expected = 0 or p_fork_thread is not null) then
    return '${verdicts.conflict} ' || head.seq;
  elsif is_other or p_epoch <> head.epoch then
    return '${verdicts.fenced} ' || head.epoch;
  elsif p_fork_thread is not null and head.seq > 0 then
    return '${verdicts.conflict} ' || head.seq;
  elsif p_expected <> (case when head.seq = 0 then coalesce(p_fork_seq, 0) else head.seq end) then
    return '${verdicts.conflict} ' || head.seq;
  elsif p_fork_thread is not null and head.seq = 0 and not ${s}.has_moment(p_fork_thread, p_fork_incarnation, p_fork_seq) then
    return '${verdicts.noParent} 0';
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

const viewers = (s: string): string => `if p_ask = 1 then
    watched := exists (select 1 from ${s}.instances i where i.listening > now() - ${secondsOf(heartbeatTimeout)} and i.id <> p_here);
  end if;`
const audience = `case when watched then ${audiences.watchers} when t.instance <> p_here then ${audiences.driver} else ${audiences.none} end`

const single =
  'p_thread text, p_id text, p_incarnation text, p_expected bigint, p_epoch bigint, p_count int, p_line text, ' +
  'p_status text, p_agent text, p_parent text, p_wake_at double precision, p_labels text'

/** Whether the summary of a row changes, and when it changed last. */
const changed = (row: string, summary: string): string =>
  `case when (${row}.status, ${row}.agent, ${row}.parent, ${row}.wake_at, ${row}.labels) is distinct from (${summary}) then now() else ${row}.changed end`

/** One batch without blobs, as in most commits. */
function append(s: string): string {
  return `
create or replace function ${s}.append(p_lazy int, p_ask int, p_here text, ${single}, ${fork}) returns text language plpgsql as $$
declare
  head record;
  refused text;
  flushed text;
  watched boolean := false;
begin
  ${flush}
  ${viewers(s)}
  loop
    update ${s}.threads t set seq = t.seq + p_count, hash = case when p_count > 0 then ${s}.link(t.hash, p_id, p_line) else t.hash end,
      status = p_status, agent = p_agent, parent = p_parent, wake_at = p_wake_at, labels = p_labels, touched = p_count = 0,
      changed = ${changed('t', 'p_status, p_agent, p_parent, p_wake_at, p_labels')}
      where t.name = p_thread and t.seq = p_expected and (p_epoch is null or t.epoch = p_epoch) and coalesce(t.incarnation, t.name) = p_incarnation
      returning t.id, t.seq, t.hash, ${audience} as audience into head;
    if found then
      if p_count > 0 then
        insert into ${s}.batches (thread, last, id, hash, line) values (head.id, head.seq, p_id, head.hash, p_line);
      end if;
      return '${verdicts.appended} ' || head.seq || ' ' || head.audience || ' ' || head.id || ' ' || encode(head.hash, 'hex');
    end if;
    refused := ${s}.refusal(p_thread, p_id, p_incarnation, p_expected, p_epoch, p_fork_thread, p_fork_incarnation, p_fork_seq);
    if refused is not null then
      return refused;
    end if;
    perform ${s}.begin_thread(p_thread, p_incarnation, p_fork_thread, p_fork_incarnation, p_fork_seq);
  end loop;
end $$;`
}

const several =
  'p_threads text[], p_ids text[], p_incarnations text[], p_expected bigint[], p_epochs bigint[], p_counts int[], p_lines text, ' +
  'p_statuses text[], p_agents text[], p_parents text[], p_wake_ats double precision[], p_labels text[]'
const forks = 'p_fork_threads text[], p_fork_incarnations text[], p_fork_seqs bigint[]'
const blobs = 'p_owners int[], p_names text[], p_bytes bytea[]'

/** The values that decide whether a batch fits, for each of several. */
const keys = 'p_threads, p_ids, p_incarnations, p_expected, p_epochs, p_fork_threads, p_fork_incarnations, p_fork_seqs'
const keysIn = (s: string): string =>
  `unnest(${keys}) with ordinality as g(name, id, incarnation, expected, epoch, fork_thread, fork_incarnation, fork_seq, place)
    cross join lateral (select ${s}.refusal(g.name, g.id, g.incarnation, g.expected, g.epoch, g.fork_thread, g.fork_incarnation, g.fork_seq) as verdict) r`

/**
 * Batches of many threads in one commit, each with its own verdict. No thread is in it twice.
 *
 * The heads are written by upserts: they find each row by its key, whatever the planner thinks of the table (PG-3).
 */
function appendAll(s: string): string {
  return `
create or replace function ${s}.append_all(p_lazy int, p_ask int, p_here text, ${several}, ${forks}, ${blobs})
returns text language plpgsql as $$
#variable_conflict use_column
declare
  fitting boolean[];
  listening int[];
  blob record;
  flushed text;
  watched boolean := false;
begin
  ${flush}
  ${viewers(s)}
  if 0 = any(p_expected) or array_remove(p_fork_threads, null) <> '{}' then
    perform ${s}.begin_thread(g.name, g.incarnation, g.fork_thread, g.fork_incarnation, g.fork_seq) from ${keysIn(s)}
      where (g.expected = 0 or g.fork_thread is not null) and r.verdict is null;
  end if;
  with locked as materialized (
    select g.*, t.*, coalesce(t.seq = g.expected and (g.epoch is null or g.epoch = t.current) and t.stored_incarnation = g.incarnation, false) as fits
    from unnest(p_threads, p_ids, p_incarnations, p_expected, p_epochs, p_counts, string_to_array(p_lines, E'\\n'),
      p_statuses, p_agents, p_parents, p_wake_ats, p_labels)
      with ordinality as g(name, id, incarnation, expected, epoch, count, line, status, agent, parent, wake_at, labels, place)
    left join lateral (
      select t.id as thread, t.seq, t.hash, t.epoch as current, coalesce(t.incarnation, t.name) as stored_incarnation, ${audience} as audience
      from ${s}.threads t where t.name = g.name limit 1 for no key update
    ) t on true
  ), linked as materialized (
    select l.*, l.seq + l.count as last, case when l.count > 0 then ${s}.link(l.hash, l.id, l.line) else l.hash end as next from locked l where l.fits
  ), stored as (
    insert into ${s}.batches (thread, last, id, hash, line) select l.thread, l.last, l.id, l.next, l.line from linked l where l.count > 0
  ), grown as (
    insert into ${s}.threads as t (id, name, seq, hash, epoch, status, agent, parent, wake_at, labels, touched) overriding system value
    select l.thread, l.name, l.last, l.next, l.current, l.status, l.agent, l.parent, l.wake_at, l.labels, l.count = 0 from linked l
    on conflict (name) do update set seq = excluded.seq, hash = excluded.hash, status = excluded.status, agent = excluded.agent,
      parent = excluded.parent, wake_at = excluded.wake_at, labels = excluded.labels, touched = excluded.touched,
      changed = ${changed('t', 'excluded.status, excluded.agent, excluded.parent, excluded.wake_at, excluded.labels')}
  )
  select array_agg(l.fits order by l.place), array_agg(l.audience order by l.place) into fitting, listening from locked l;
  ${storeBlobs(s)}
  ${returnVerdicts(s)}
end $$;`
}

/** The blobs of the batches that were stored: each is stored once, and counts the threads that have it. */
function storeBlobs(s: string): string {
  return `for blob in select b.name, b.owner, b.bytes from unnest(p_owners, p_names, p_bytes) as b(owner, name, bytes) order by b.name loop
    if fitting[blob.owner] then
      insert into ${s}.thread_blobs (thread, hash) select t.id, blob.name from ${s}.threads t where t.name = p_threads[blob.owner]
        on conflict do nothing;
      if found then
        insert into ${s}.blobs as b (hash, threads, digest, bytes) values (blob.name, 1, sha256(blob.bytes), blob.bytes)
          on conflict (hash) do update set threads = b.threads + 1;
      end if;
    end if;
  end loop;`
}

/** The verdict on each batch. One that did not fit is checked again, now that its row is locked: it may be stored already. */
function returnVerdicts(s: string): string {
  return `if not false = any(fitting) then
    return (select string_agg('${verdicts.appended} ' || g.expected + g.count || ' ' || g.audience, ',' order by g.place)
      from unnest(p_expected, p_counts, listening) with ordinality as g(expected, count, audience, place));
  end if;
  return (select string_agg(g.verdict, ',' order by g.place) from (
    select '${verdicts.appended} ' || p_expected[place] + p_counts[place] || ' ' || listening[place] as verdict, place
      from generate_subscripts(fitting, 1) as place where fitting[place]
    union all
    select coalesce(r.verdict, '${verdicts.again} 0'), g.place from ${keysIn(s)} where not fitting[g.place]
  ) g);`
}
