/** What spans the graph: ways between records whose domains do not know each other. */
import './customer-groups.ts';
import './products.ts';
