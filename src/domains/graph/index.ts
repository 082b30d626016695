/** What spans the graph: ways between records whose domains do not know each other. */
import './products.ts';
