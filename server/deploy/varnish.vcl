# Varnish as a cache in front of three replicas.
vcl 4.1;

import directors;

probe ready {
    .url = "/readyz";
    .interval = 1s;
    .timeout = 2s;
    .window = 3;
    .threshold = 2;
    .initial = 2;
}

backend replica1 { .host = "127.0.0.1"; .port = "8081"; .probe = ready; }
backend replica2 { .host = "127.0.0.1"; .port = "8082"; .probe = ready; }
backend replica3 { .host = "127.0.0.1"; .port = "8083"; .probe = ready; }

sub vcl_init {
    new replicas = directors.round_robin();
    replicas.add_backend(replica1);
    replicas.add_backend(replica2);
    replicas.add_backend(replica3);
}

sub vcl_recv {
    set req.backend_hint = replicas.backend();
    if (req.url !~ "^(/[^/?]+)?/api/(search|companies/search|read-finder-index\.json|openapi\.json)(\?|$)") {
        return (synth(404));
    }
    unset req.http.Cookie;
}

# A replica that is restarting, or busy, is not the only one.
sub vcl_backend_response {
    if (beresp.status == 503 && bereq.retries < 2) {
        return (retry);
    }
    if (beresp.status == 200) {
        set beresp.keep = 1h; # to ask with If-None-Match once it is old
    }
}

sub vcl_backend_error {
    if (bereq.retries < 2) {
        return (retry);
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}
